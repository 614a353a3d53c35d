"""Lifetime of a test server: on 127.0.0.1, announced by one line, and never longer than the process that started it."""

import asyncio
import os
import socket
import sys
import threading
import time

from aiohttp import web


def listen(port):
    """A socket on 127.0.0.1 (0: on any free port) and its address."""
    listening = socket.create_server(('127.0.0.1', port), backlog=1024)
    return listening, f'http://127.0.0.1:{listening.getsockname()[1]}'


def serve(app, listening, line):
    """Prints `line` once requests are answered, and serves until standard input closes or the parent has ended."""
    asyncio.run(_serve(app, listening, line))


async def _serve(app, listening, line):
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.SockSite(runner, listening).start()
    for ends in (_input_closes, _parent_ends):
        threading.Thread(target=ends, args=(os.getppid(),), daemon=True).start()
    print(line, flush=True)
    await asyncio.Event().wait()


def _input_closes(_parent):
    while sys.stdin.buffer.read1(65536):
        pass
    os._exit(0)


def _parent_ends(parent):
    # Another process may hold standard input open.
    while os.getppid() == parent:
        time.sleep(0.2)
    os._exit(0)
