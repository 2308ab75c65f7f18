"""Runs build.py's own server in threads, for as long as a `with` lasts."""

import threading

from sitebuild.server import Server


class Servers:
    def __init__(self, site):
        self.site = site
        self.running = []

    def __enter__(self):
        return self

    def start(self, folder=None, **options) -> str:
        server = Server(folder or self.site, 0, **options)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        self.running.append((server, thread))
        return server.url

    def __exit__(self, *error):
        for server, thread in self.running:
            server.shutdown()
            server.server_close()
            thread.join()
