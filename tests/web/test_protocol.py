import asyncio
import socket

from uvicorn import Config
from uvicorn.server import ServerState

from isoalign.web._protocol import impatient_protocol


def test_an_answer_does_not_wait_for_the_acknowledgement_of_its_head():
    """The listening socket is made as uvicorn makes it, of which asyncio's own setting takes no notice."""

    async def serve_once():
        config = Config(app=None, log_config=None)
        state = ServerState()
        connections = []

        def make_protocol():
            connections.append(impatient_protocol(60)(config, state, app_state={}))
            return connections[-1]

        listening = socket.socket(socket.AF_INET)
        listening.bind(("127.0.0.1", 0))
        server = await asyncio.get_running_loop().create_server(make_protocol, sock=listening)
        _, writer = await asyncio.open_connection(*listening.getsockname())
        while not (connections and connections[0].transport):
            await asyncio.sleep(0)
        served = connections[0].transport.get_extra_info("socket")
        found = served.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        writer.close()
        await writer.wait_closed()
        connections[0].transport.abort()
        server.close()
        await server.wait_closed()
        return found

    assert asyncio.run(serve_once())
