"""Recorded matches; `controller.demo.crowd.recorder` makes them."""
