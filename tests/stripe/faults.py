"""A proxy that injects faults.

    target/python/bin/python tests/stripe/faults.py --port N --to http://127.0.0.1:M     (0: any free port)

prints `Faults are at http://127.0.0.1:N`, and ends when its standard input closes. It passes requests and answers on
unchanged, except for those that match a rule. `POST /_faults` takes a rule, or a list of them, as JSON:

    {"method": "POST", "path": "/v1/refunds$", "times": 1, "act": "delay", "ms": 500, "pid": 4711}

`path` is a regular expression searched for in the path with its query. A rule without `method` or `path` matches all,
one without `times` applies to one request; the first matching rule not yet used up applies. Acts:

    delay         passed on after `ms`
    drop          the connection is closed, and nothing passed on
    drop_answer   passed on, and the connection closed without the answer
    duplicate     passed on twice, one after the other; the second answer counts
    kill          the process `pid` is killed, and nothing passed on
    kill_after    passed on, and `pid` killed before its answer is

`GET /_faults` returns the requests so far ([{"method", "path", "act"}], `act` null where nothing was done), and
`DELETE /_faults` forgets them and all rules.
"""

import argparse
import asyncio
import os
import re
import signal

import aiohttp
from aiohttp import web
from yarl import URL

from lifetime import listen, serve

_ACTS = ('delay', 'drop', 'drop_answer', 'duplicate', 'kill', 'kill_after')
# About one connection, or the length of a body that is sent anew: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1
_OF_CONNECTIONS = {b'connection', b'keep-alive', b'transfer-encoding', b'content-length', b'upgrade', b'te'}

_rules = []
_log = []


def _rule(given):
    rule = {'method': None, 'path': '', 'times': 1, 'ms': 0, 'pid': None, **given}
    if rule['act'] not in _ACTS or rule.keys() - {'method', 'path', 'times', 'act', 'ms', 'pid'}:
        raise ValueError(given)
    if rule['act'].startswith('kill') and not isinstance(rule['pid'], int):
        raise ValueError(given)
    rule['path'] = re.compile(rule['path'])
    return rule


async def add(request):
    given = await request.json()
    try:
        _rules.extend([_rule(rule) for rule in (given if isinstance(given, list) else [given])])
    except (KeyError, ValueError, TypeError, re.error) as error:
        return web.Response(status=400, text=f'no rule: {error!r}')
    return web.Response(status=204)


async def tell(_request):
    return web.json_response(_log)


async def forget(_request):
    _rules.clear()
    _log.clear()
    return web.Response(status=204)


def _take(request):
    for rule in _rules:
        if rule['times'] > 0 and rule['method'] in (None, request.method) and rule['path'].search(request.raw_path):
            rule['times'] -= 1
            return rule
    return {'act': None}


class Proxy:
    def __init__(self, to):
        self._to = to.rstrip('/')
        self._client = None

    async def client(self, _app):
        # No redirects, decompression, cookies or added headers.
        connector = aiohttp.TCPConnector(limit=0)
        self._client = aiohttp.ClientSession(
            connector=connector,
            auto_decompress=False,
            cookie_jar=aiohttp.DummyCookieJar(),
            skip_auto_headers=('User-Agent', 'Accept', 'Accept-Encoding', 'Content-Type'),
            timeout=aiohttp.ClientTimeout(total=60),
        )
        yield
        await self._client.close()

    async def handle(self, request):
        body = await request.read()
        rule = _take(request)
        act = rule['act']
        _log.append({'method': request.method, 'path': request.raw_path, 'act': act})
        if act == 'kill':
            os.kill(rule['pid'], signal.SIGKILL)
        if act in ('drop', 'kill'):
            return _hang_up(request)
        if act == 'delay':
            await asyncio.sleep(rule['ms'] / 1000)
        try:
            answer = await self._forward(request, body)
            if act == 'duplicate':
                answer = await self._forward(request, body)
        except (aiohttp.ClientError, asyncio.TimeoutError):
            # The server behind has hung up, so the proxy does too.
            return _hang_up(request)
        if act == 'kill_after':
            os.kill(rule['pid'], signal.SIGKILL)
        if act in ('drop_answer', 'kill_after'):
            return _hang_up(request)
        return answer

    async def _forward(self, request, body):
        headers = [
            (name.decode('latin-1'), value.decode('latin-1'))
            for name, value in request.raw_headers
            if name.lower() not in _OF_CONNECTIONS
        ]
        to = URL(self._to + request.raw_path, encoded=True)
        sending = self._client.request(request.method, to, headers=headers, data=body or None, allow_redirects=False)
        async with sending as answer:
            content = await answer.read()
        given = web.Response(status=answer.status, reason=answer.reason, body=content)
        given.headers.clear()
        for name, value in answer.raw_headers:
            if name.lower() not in _OF_CONNECTIONS:
                given.headers.add(name.decode('latin-1'), value.decode('latin-1'))
        return given


def _hang_up(request):
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


def app(to):
    proxy = Proxy(to)
    made = web.Application(client_max_size=64 * 2**20)
    made.cleanup_ctx.append(proxy.client)
    made.router.add_post('/_faults', add)
    made.router.add_get('/_faults', tell)
    made.router.add_delete('/_faults', forget)
    made.router.add_route('*', '/{path:.*}', proxy.handle)
    return made


if __name__ == '__main__':
    options = argparse.ArgumentParser(description='A proxy that goes wrong when it is told to')
    options.add_argument('--port', type=int, required=True)
    options.add_argument('--to', required=True)
    chosen = options.parse_args()
    listening, url = listen(chosen.port)
    serve(app(chosen.to), listening, f'Faults are at {url}')
