"""A client of the YAML language server: opens texts as an editor does, and asks about them."""
import json
import subprocess


class LanguageServer:
    """The npm package yaml-language-server as a process, over stdin and stdout."""

    def __init__(self, modules, schemas=None):
        program = modules / "node_modules/yaml-language-server/bin/yaml-language-server"
        self.process = subprocess.Popen(["node", program, "--stdio"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.settings = {"validate": True, "hover": True, "completion": True, "format": {},
                         "schemaStore": {"enable": False}, "schemas": schemas or {}}
        self.asked = 0
        self.opened = 0
        self.diagnostics = {}
        capabilities = {
            "workspace": {"configuration": True},
            "textDocument": {
                "completion": {"completionItem": {"snippetSupport": True,
                                                  "documentationFormat": ["markdown"]}},
                "hover": {"contentFormat": ["markdown"]},
                "publishDiagnostics": {}}}
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": {"yaml": self.settings}})

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.ask("shutdown", None)
        self.tell("exit", None)
        self.process.communicate(timeout=600)

    def open(self, text, name="job.yaml"):
        """Opens a text, which closes with the server; the URI that names it from here on."""
        self.opened += 1
        uri = f"file:///press/{self.opened}/{name}"
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "yaml", "version": 1, "text": text}})
        return uri

    def errors(self, uri):
        """The messages about an opened text, each with its line from 1, by lines."""
        while uri not in self.diagnostics:
            self.take()
        found = [(each["range"]["start"]["line"] + 1, each["message"])
                 for each in self.diagnostics[uri]]
        return sorted(found)

    def hover(self, uri, line, character):
        answer = self.ask("textDocument/hover", place(uri, line, character))
        return answer["contents"]["value"] if answer else ""

    def completion(self, uri, line, character):
        """The suggestions at a place, by their labels."""
        answer = self.ask("textDocument/completion", place(uri, line, character))
        return {item["label"]: item for item in answer["items"]}

    def ask(self, method, parameters):
        self.asked += 1
        self.send({"id": self.asked, "method": method, "params": parameters})
        while True:
            answer = self.take()
            if answer.get("id") == self.asked and "method" not in answer:
                return answer["result"]

    def tell(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def take(self):
        """The next message of the server; answers it when it is a request."""
        length = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            if not line:
                raise RuntimeError("the language server has ended")
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            parameters = message["params"]
            self.diagnostics[parameters["uri"]] = parameters["diagnostics"]
        elif message.get("method") == "workspace/configuration":
            sections = [item.get("section") for item in message["params"]["items"]]
            self.answer(message, [self.settings if name == "yaml" else {} for name in sections])
        elif "id" in message and "method" in message:
            self.answer(message, None)
        return message

    def answer(self, request, result):
        self.send({"id": request["id"], "result": result})


def place(uri, line, character):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
