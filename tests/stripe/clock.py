"""The server's clock, which tests set: the product's tests run on a fixed day.

`POST /_config/clock` with `now` (Unix seconds) sets it; it runs on from there.
"""

import time

from aiohttp import web
from localstripe import resources

_ahead = 0


def now():
    """Unix seconds, with fractions."""
    return time.time() + _ahead


class _Time:
    time = staticmethod(now)


# localstripe's objects read `created` from here.
resources.time = _Time


async def set_clock(request):
    global _ahead
    data = await request.post()
    _ahead = float(data['now']) - time.time()
    return web.Response()
