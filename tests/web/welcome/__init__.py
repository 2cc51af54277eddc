"""Whom a table lets in from the network, and the phone that brings its code."""
