"""Routes that add to or replace localstripe's. It sets up its own from this list when its module `server` is imported,
so nothing here imports that before all routes are in place (server.py does, last)."""

from localstripe.resources import extra_apis


def route(method, path, function):
    extra_apis[:] = [known for known in extra_apis if known[:2] != (method, path)]
    extra_apis.insert(0, (method, path, function))
