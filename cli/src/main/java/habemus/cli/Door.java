package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import picocli.CommandLine.ParseResult;

/** The HTTP doors of running nodes, from outside. If one does not answer, the next is asked. */
final class Door {

    private static final String SECTION = "The node that is asked:";
    private static final String STANDARD = "127.0.0.1:7801";
    static final String VARIABLE = "HABEMUS_AT";
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration PULSE = Duration.ofSeconds(2); // between two looks at a node that takes its time

    private static final int UNKNOWN = 401; // whoever asks
    private static final int ABSENT = 404; // what is asked for

    /** An event that says nothing but that the node is there. */
    static final String ALIVE = "alive";

    private final Credentials credentials;
    private final HttpClient client;
    private final List<String> all;
    private volatile String at;
    private volatile IOException trouble = new IOException("nobody was asked"); // the last one

    Door(String at) {
        this(List.of(at), Credentials.NONE);
    }

    private Door(List<String> all, Credentials credentials) {
        this.all = new CopyOnWriteArrayList<>(all);
        this.credentials = credentials;
        at = all.getFirst();
        client = credentials
                .with(HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(PATIENCE))
                .build();
    }

    static Sheet add(Sheet sheet) {
        return Credentials.add(
                sheet.value(
                        SECTION,
                        "--at",
                        "HOST:PORT,…",
                        "its HTTP door, or several to choose from (standard: $" + VARIABLE + ", or " + STANDARD + ")"),
                SECTION);
    }

    static Door of(ParseResult parsed) {
        var variable = System.getenv(VARIABLE);
        var text = Output.text(parsed, "--at").orElse(variable == null ? STANDARD : variable);
        var all = List.of(text.split(",", -1)).stream()
                .map(each -> ServeCommand.text(ServeOptions.address(each.strip(), "--at")))
                .toList();
        return new Door(all, Credentials.of(parsed));
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

        /** Another node may be able to answer. */
        private boolean isElsewhere() {
            return status == 503
                    && json.has("error")
                    && List.of("stopping", "failed").contains(reason("code"));
        }
    }

    /** @throws Refusal if no node can be reached, or it refuses */
    JsonObject get(String path) {
        try {
            return require(get(path, PATIENCE)).json;
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /**
     * Nothing if there is no such thing.
     *
     * @throws Refusal if no node can be reached, or it refuses
     */
    Optional<JsonObject> find(String path) {
        try {
            var reply = get(path, PATIENCE);
            return reply.status == ABSENT ? Optional.empty() : Optional.of(require(reply).json);
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws Refusal if no node can be reached, or it refuses */
    JsonObject post(String path, JsonObject body) {
        try {
            return require(post(path, body, PATIENCE.multipliedBy(3))).json;
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws Refusal if no node can be reached, or it refuses */
    JsonObject delete(String path) {
        try {
            return require(each(here -> request(here, path)
                            .timeout(PATIENCE.multipliedBy(3))
                            .DELETE()))
                    .json;
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws Refusal if no node can be reached, or it refuses */
    byte[] download(String path) {
        try {
            var request = request(at, path).timeout(Duration.ofMinutes(1)).build();
            var response = client.send(request, BodyHandlers.ofByteArray());
            if (response.statusCode() >= 300) {
                require(new Reply(response.statusCode(), json(new String(response.body(), UTF_8))));
            }
            return response.body();
        } catch (IOException unreachable) {
            trouble = unreachable;
            throw unreachable();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unreachable();
        }
    }

    static Reply require(Reply reply) {
        if (!reply.isDone()) {
            throw reply.status == 503
                    ? Refusal.cannot(reply.reason("message"), reply.reason("hint"))
                    : Refusal.wrong(reply.reason("message"), reply.reason("hint"));
        }
        return reply;
    }

    Refusal unreachable() {
        return new NoAnswer(String.join(" or ", all), credentials.tls().isPresent(), trouble).refusal();
    }

    private IOException failed(IOException why) {
        trouble = why;
        return why;
    }

    Reply get(String path, Duration patience) throws IOException {
        return each(here -> request(here, path).timeout(patience));
    }

    Reply post(String path, JsonObject body, Duration patience) throws IOException {
        return each(here -> posting(here, path, body).timeout(patience));
    }

    private HttpRequest.Builder posting(String here, String path, JsonObject body) {
        return request(here, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()));
    }

    private HttpRequest.Builder request(String here, String path) {
        return credentials.with(HttpRequest.newBuilder(URI.create(credentials.scheme() + here + path)));
    }

    /** One that is made for a node. */
    private interface Making {
        HttpRequest.Builder at(String here);
    }

    /** Asks one after the other, and stays with whoever answers. */
    private Reply each(Making making) throws IOException {
        IOException last = new IOException("nobody was asked");
        for (int tried = 0; tried < all.size(); tried++) {
            var here = at;
            try {
                var reply = send(here, making.at(here).build());
                if (!reply.isElsewhere() || all.size() == 1) {
                    return reply;
                }
                last = new IOException(reply.reason("message"));
            } catch (IOException silent) {
                last = silent;
            }
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
            moveOn(here);
        }
        throw failed(last);
    }

    private synchronized void moveOn(String from) {
        if (at.equals(from)) {
            at = all.get((all.indexOf(from) + 1) % all.size());
        }
    }

    private Reply send(String here, HttpRequest request) throws IOException {
        try {
            return reply(here, client.send(request, BodyHandlers.ofString()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    private static Reply reply(String here, HttpResponse<String> response) throws IOException {
        try {
            return new Reply(response.statusCode(), json(response.body()));
        } catch (JsonParseException | IllegalStateException stranger) {
            throw new IOException("whoever listens at " + here + " is no node", stranger);
        }
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /**
     * Asks for something that may take long, which goes on at another node if this one falls silent meanwhile: so the
     * body must say what makes it the same wish there.
     */
    Reply await(String path, JsonObject body, Duration patience) throws IOException {
        IOException last = new IOException("nobody was asked");
        for (int silent = 0; silent < all.size(); silent++) {
            var here = at;
            var asked =
                    client.sendAsync(posting(here, path, body).timeout(patience).build(), BodyHandlers.ofString());
            try {
                while (!asked.isDone() && isAlive(here, asked)) {
                    silent = 0; // it answers in time: the wish is where it belongs
                }
                var reply = reply(here, asked.get(1, TimeUnit.MILLISECONDS));
                if (!reply.isElsewhere() || all.size() == 1) {
                    return reply;
                }
                last = new IOException(reply.reason("message"));
            } catch (ExecutionException | TimeoutException failed) {
                last = new IOException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException(interrupted);
            } finally {
                asked.cancel(true);
            }
            moveOn(here);
        }
        throw failed(last);
    }

    /** Waits for an answer, and a while at most; if there is none, asks whether somebody is there at all. */
    private boolean isAlive(String here, CompletableFuture<HttpResponse<String>> asked) throws InterruptedException {
        try {
            asked.get(PULSE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException failed) {
            return true;
        } catch (TimeoutException stillWaiting) {
            if (all.size() == 1) {
                return true;
            }
        }
        try {
            return send(here, request(here, "/health").timeout(PULSE).build()).isDone();
        } catch (IOException silent) {
            return false;
        }
    }

    /** If it is the production service, its other nodes are as good. Tells whether it may be. */
    boolean learn() {
        try {
            var status = get("/status", PATIENCE);
            if (status.status == UNKNOWN) {
                require(status); // whoever is asked next would say the same
            }
            if (status.isDone() && status.text("locks").equals("fenced")) {
                for (JsonElement each : status.json.getAsJsonArray("nodes")) {
                    var http = Asked.text(each.getAsJsonObject(), "http");
                    if (!http.equals("-") && !all.contains(http)) {
                        all.add(http);
                    }
                }
            }
            return !status.isDone() || status.text("locks").equals("fenced");
        } catch (IOException unreachable) {
            throw unreachable();
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
            var request = request(at, "/watch?scope=" + scope).build();
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() >= 300) {
                throw new IOException("the node refuses to be watched: " + response.statusCode());
            }
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
                listen(lines, listener);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed(failed));
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
                listener.accept(kind, json(line.substring("data:".length())));
            }
        }
    }
}
