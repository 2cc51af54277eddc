"""The hub's web server: what programs, directors and the screens of the hall ask for."""
