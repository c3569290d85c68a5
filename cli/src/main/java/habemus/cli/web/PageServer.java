package habemus.cli.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/** Serves the files of a folder on the loopback address, and nothing else. */
final class PageServer implements AutoCloseable {

    private static final String OTHER_TYPE = "application/octet-stream";

    private static final Map<String, String> CONTENT_TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "json", "application/json",
            "svg", "image/svg+xml",
            "wasm", "application/wasm");

    private final HttpServer server;
    private final Path folder;

    /** @param port zero for any free port */
    PageServer(Path folder, int port) throws IOException {
        this.folder = folder.toRealPath();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!Set.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            var path = exchange.getRequestURI().getPath();
            var file = folder.resolve("." + (path.endsWith("/") ? path + "index.html" : path))
                    .normalize();
            if (!file.startsWith(folder) || !Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            send(exchange, file);
        }
    }

    private static void send(HttpExchange exchange, Path file) throws IOException {
        var name = file.getFileName().toString();
        var type = CONTENT_TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), OTHER_TYPE);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-cache");
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.sendResponseHeaders(200, -1);
            return;
        }
        exchange.sendResponseHeaders(200, Files.size(file));
        Files.copy(file, exchange.getResponseBody());
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
