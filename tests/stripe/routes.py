"""Routes beside and instead of localstripe's. It makes its own from this list when its module `server` is imported, so that
nothing here imports that before all routes are in place (server.py does, last)."""

from localstripe.resources import extra_apis


def route(method, path, function):
    extra_apis[:] = [known for known in extra_apis if known[:2] != (method, path)]
    extra_apis.insert(0, (method, path, function))
