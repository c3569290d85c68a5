package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.BiConsumer;
import picocli.CommandLine.ParseResult;

/** The HTTP door of a running node, from outside. */
final class Door {

    private static final String SECTION = "The node that is asked:";
    private static final String STANDARD = "127.0.0.1:7801";
    private static final String VARIABLE = "HABEMUS_AT";
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** An event that says nothing but that the node is there. */
    static final String ALIVE = "alive";

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final String at;

    Door(String at) {
        this.at = at;
    }

    static Sheet add(Sheet sheet) {
        return sheet.value(
                SECTION, "--at", "HOST:PORT", "its HTTP door (standard: $" + VARIABLE + ", or " + STANDARD + ")");
    }

    static Door of(ParseResult parsed) {
        var variable = System.getenv(VARIABLE);
        var text = Output.text(parsed, "--at").orElse(variable == null ? STANDARD : variable);
        return new Door(ServeCommand.text(ServeOptions.address(text, "--at")));
    }

    /** As a part of a path. */
    static String encode(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }

    record Reply(int status, JsonObject json) {

        boolean isDone() {
            return status < 300;
        }

        String text(String member) {
            return json.get(member).getAsString();
        }

        String reason(String member) {
            return json.getAsJsonObject("error").get(member).getAsString();
        }
    }

    /** @throws Refusal if the node cannot be reached, or refuses */
    JsonObject get(String path) {
        try {
            return require(get(path, PATIENCE)).json;
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    static Reply require(Reply reply) {
        if (!reply.isDone()) {
            throw Refusal.wrong(reply.reason("message"), reply.reason("hint"));
        }
        return reply;
    }

    Refusal unreachable() {
        return Refusal.cannot(
                "cannot reach a node at " + at,
                "is one running there? habemus up starts some; --at HOST:PORT or $" + VARIABLE + " chooses one");
    }

    Reply get(String path, Duration patience) throws IOException {
        return send(HttpRequest.newBuilder(uri(path)).timeout(patience).build());
    }

    Reply post(String path, JsonObject body, Duration patience) throws IOException {
        return send(HttpRequest.newBuilder(uri(path))
                .timeout(patience)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()))
                .build());
    }

    private URI uri(String path) {
        return URI.create("http://" + at + path);
    }

    private Reply send(HttpRequest request) throws IOException {
        try {
            var response = client.send(request, BodyHandlers.ofString());
            return new Reply(
                    response.statusCode(),
                    JsonParser.parseString(response.body()).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException stranger) {
            throw new IOException("whoever listens at " + at + " is no node", stranger);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    /**
     * Calls with every event, its kind and its data, until the node ends it or cannot be reached any more. After a
     * second without one the kind is {@link #ALIVE}.
     *
     * @throws UncheckedIOException if it cannot be reached now
     */
    void watch(String scope, BiConsumer<String, JsonObject> listener) {
        try {
            var request = HttpRequest.newBuilder(uri("/watch?scope=" + scope)).build();
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() >= 300) {
                throw new IOException("the node refuses to be watched: " + response.statusCode());
            }
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
                listen(lines, listener);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void listen(BufferedReader lines, BiConsumer<String, JsonObject> listener) throws IOException {
        var kind = "";
        for (var line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("event:")) {
                kind = line.substring("event:".length()).strip();
            } else if (line.startsWith("data:")) {
                listener.accept(
                        kind,
                        JsonParser.parseString(line.substring("data:".length())).getAsJsonObject());
            }
        }
    }
}
