"""Idempotency keys, which localstripe ignores: https://docs.stripe.com/api/idempotent_requests

The first answer to a key, success or error, is stored and returned for the same request again; requests refused before
processing began are not stored. `POST /_config/latency` with `ms` delays each POST after it has done its work, so that
a second request arrives while the first is in progress.
"""

import asyncio
from urllib.parse import parse_qsl

from aiohttp import web
from localstripe.resources import random_id

from errors import Refused

_LONGEST = 255
_UNDER_WAY = object()

# By account and key: the request's parameters, in any order, and the answer.
_kept = {}
_latency = 0


@web.middleware
async def middleware(request, handler):
    if request.method == 'DELETE' and request.path == '/_config/data':
        _kept.clear()
    if request.method != 'POST' or not request.path.startswith('/v1/'):
        return await handler(request)
    key = request.headers.get('Idempotency-Key')
    if key is None:
        return await _slowly(request, handler)
    if len(key) > _LONGEST:
        raise Refused(400, f'Idempotency keys have at most {_LONGEST} characters.')
    place = (request.headers.get('Authorization'), key)
    asked = (request.path, sorted(parse_qsl(await request.text(), keep_blank_values=True)))
    known, answer = _kept.get(place, (None, None))
    if known is not None and known != asked:
        refusal = Refused(
            400,
            'Keys for idempotent requests can only be used with the same parameters they were first used with. '
            f"Try using a key other than '{key}' if you meant to execute a different request.",
        )
        refusal.body['error']['type'] = 'idempotency_error'
        raise refusal
    if answer is _UNDER_WAY:
        message = f"There is another request under way with the idempotency key '{key}'."
        raise Refused(409, message, 'idempotency_key_in_use')
    if answer is not None:
        status, body, original = answer
        headers = {'Idempotent-Replayed': 'true', 'Idempotency-Key': key, 'Original-Request': original}
        return web.Response(status=status, body=body, content_type='application/json', headers=headers)
    _kept[place] = (asked, _UNDER_WAY)
    try:
        response = await _slowly(request, handler)
    except BaseException:
        del _kept[place]
        raise
    original = 'req_' + random_id(14)
    response.headers.update({'Idempotency-Key': key, 'Request-Id': original})
    if response.status < 400 or response.status == 402 or response.status >= 500 or response.get('began'):
        _kept[place] = (asked, (response.status, response.body, original))
    else:
        del _kept[place]
    return response


async def _slowly(request, handler):
    response = await handler(request)
    if _latency:
        await asyncio.sleep(_latency)
    return response


async def set_latency(request):
    global _latency
    data = await request.post()
    _latency = float(data['ms']) / 1000
    return web.Response()
