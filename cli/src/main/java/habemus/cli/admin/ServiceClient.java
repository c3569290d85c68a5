package habemus.cli.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.serve.ServeCommand;
import habemus.cli.serve.ServeOptions;
import habemus.cli.terminal.CommandException;
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
public final class ServiceClient {

    private static final String SECTION = "The node that is asked:";
    private static final String DEFAULT_ADDRESS = "127.0.0.1:7801";
    static final String ADDRESS_VARIABLE = "HABEMUS_AT";
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration HEALTH_CHECK_INTERVAL =
            Duration.ofSeconds(2); // between two looks at a node that takes its time

    private static final int UNAUTHORIZED = 401; // whoever asks
    private static final int NOT_FOUND = 404; // what is asked for

    /** An event that says nothing but that the node is there. */
    public static final String KEEP_ALIVE = "alive";

    private final Credentials credentials;
    private final HttpClient client;
    private final List<String> nodes;
    private volatile String current;
    private volatile IOException lastError = new IOException("nobody was asked"); // the last one

    public ServiceClient(String at) {
        this(List.of(at), Credentials.NONE);
    }

    private ServiceClient(List<String> all, Credentials credentials) {
        this.nodes = new CopyOnWriteArrayList<>(all);
        this.credentials = credentials;
        current = all.getFirst();
        client = credentials
                .applyTo(HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(REQUEST_TIMEOUT))
                .build();
    }

    public static CommandSyntax addOptions(CommandSyntax commandSyntax) {
        return Credentials.addOptions(
                commandSyntax.value(
                        SECTION,
                        "--at",
                        "HOST:PORT,…",
                        "its HTTP door, or several to choose from (standard: $" + ADDRESS_VARIABLE + ", or "
                                + DEFAULT_ADDRESS + ")"),
                SECTION);
    }

    public static ServiceClient of(ParseResult parsed) {
        var variable = System.getenv(ADDRESS_VARIABLE);
        var text = OutputOptions.text(parsed, "--at").orElse(variable == null ? DEFAULT_ADDRESS : variable);
        var all = List.of(text.split(",", -1)).stream()
                .map(each -> ServeCommand.format(ServeOptions.address(each.strip(), "--at")))
                .toList();
        return new ServiceClient(all, Credentials.of(parsed));
    }

    /** As a part of a path. */
    public static String encode(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }

    public record Reply(int status, JsonObject json) {

        public boolean isSuccess() {
            return status < 300;
        }

        public String text(String member) {
            return json.get(member).getAsString();
        }

        public String error(String member) {
            return json.getAsJsonObject("error").get(member).getAsString();
        }

        /** Another node may be able to answer. */
        private boolean shouldTryNextNode() {
            return status == 503
                    && json.has("error")
                    && List.of("stopping", "failed").contains(error("code"));
        }
    }

    /** @throws CommandException if no node can be reached, or it refuses */
    JsonObject get(String path) {
        try {
            return requireSuccess(get(path, REQUEST_TIMEOUT)).json;
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /**
     * Nothing if there is no such thing.
     *
     * @throws CommandException if no node can be reached, or it refuses
     */
    Optional<JsonObject> find(String path) {
        try {
            var reply = get(path, REQUEST_TIMEOUT);
            return reply.status == NOT_FOUND ? Optional.empty() : Optional.of(requireSuccess(reply).json);
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws CommandException if no node can be reached, or it refuses */
    JsonObject post(String path, JsonObject body) {
        try {
            return requireSuccess(post(path, body, REQUEST_TIMEOUT.multipliedBy(3))).json;
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws CommandException if no node can be reached, or it refuses */
    JsonObject delete(String path) {
        try {
            return requireSuccess(tryEach(here -> request(here, path)
                            .timeout(REQUEST_TIMEOUT.multipliedBy(3))
                            .DELETE()))
                    .json;
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /** @throws CommandException if no node can be reached, or it refuses */
    byte[] download(String path) {
        try {
            var request = request(current, path).timeout(Duration.ofMinutes(1)).build();
            var response = client.send(request, BodyHandlers.ofByteArray());
            if (response.statusCode() >= 300) {
                requireSuccess(new Reply(response.statusCode(), json(new String(response.body(), UTF_8))));
            }
            return response.body();
        } catch (IOException unreachable) {
            lastError = unreachable;
            throw unreachable();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw unreachable();
        }
    }

    static Reply requireSuccess(Reply reply) {
        if (!reply.isSuccess()) {
            throw reply.status == 503
                    ? CommandException.failure(reply.error("message"), reply.error("hint"))
                    : CommandException.usage(reply.error("message"), reply.error("hint"));
        }
        return reply;
    }

    public CommandException unreachable() {
        return new UnreachableNodes(
                        String.join(" or ", nodes), credentials.tls().isPresent(), lastError)
                .toException();
    }

    private IOException recordError(IOException why) {
        lastError = why;
        return why;
    }

    public Reply get(String path, Duration patience) throws IOException {
        return tryEach(here -> request(here, path).timeout(patience));
    }

    public Reply post(String path, JsonObject body, Duration patience) throws IOException {
        return tryEach(here -> postRequest(here, path, body).timeout(patience));
    }

    private HttpRequest.Builder postRequest(String here, String path, JsonObject body) {
        return request(here, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()));
    }

    private HttpRequest.Builder request(String here, String path) {
        return credentials.applyTo(HttpRequest.newBuilder(URI.create(credentials.scheme() + here + path)));
    }

    /** One that is made for a node. */
    private interface RequestFactory {
        HttpRequest.Builder forNode(String here);
    }

    /** Asks one after the other, and stays with whoever answers. */
    private Reply tryEach(RequestFactory requestFactory) throws IOException {
        IOException last = new IOException("nobody was asked");
        for (int tried = 0; tried < nodes.size(); tried++) {
            var here = current;
            try {
                var reply = send(here, requestFactory.forNode(here).build());
                if (!reply.shouldTryNextNode() || nodes.size() == 1) {
                    return reply;
                }
                last = new IOException(reply.error("message"));
            } catch (IOException silent) {
                last = silent;
            }
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
            switchNode(here);
        }
        throw recordError(last);
    }

    private synchronized void switchNode(String from) {
        if (current.equals(from)) {
            current = nodes.get((nodes.indexOf(from) + 1) % nodes.size());
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
    public Reply postAndWait(String path, JsonObject body, Duration patience) throws IOException {
        IOException last = new IOException("nobody was asked");
        for (int silent = 0; silent < nodes.size(); silent++) {
            var here = current;
            var asked = client.sendAsync(
                    postRequest(here, path, body).timeout(patience).build(), BodyHandlers.ofString());
            try {
                while (!asked.isDone() && isResponsive(here, asked)) {
                    silent = 0; // it answers in time: the wish is where it belongs
                }
                var reply = reply(here, asked.get(1, TimeUnit.MILLISECONDS));
                if (!reply.shouldTryNextNode() || nodes.size() == 1) {
                    return reply;
                }
                last = new IOException(reply.error("message"));
            } catch (ExecutionException | TimeoutException failed) {
                last = new IOException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IOException(interrupted);
            } finally {
                asked.cancel(true);
            }
            switchNode(here);
        }
        throw recordError(last);
    }

    /** Waits for an answer, and a while at most; if there is none, asks whether somebody is there at all. */
    private boolean isResponsive(String here, CompletableFuture<HttpResponse<String>> asked)
            throws InterruptedException {
        try {
            asked.get(HEALTH_CHECK_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException failed) {
            return true;
        } catch (TimeoutException stillWaiting) {
            if (nodes.size() == 1) {
                return true;
            }
        }
        try {
            return send(
                            here,
                            request(here, "/health")
                                    .timeout(HEALTH_CHECK_INTERVAL)
                                    .build())
                    .isSuccess();
        } catch (IOException silent) {
            return false;
        }
    }

    /** If it is the production service, its other nodes are as good. Tells whether it may be. */
    public boolean discoverNodes() {
        try {
            var status = get("/status", REQUEST_TIMEOUT);
            if (status.status == UNAUTHORIZED) {
                requireSuccess(status); // whoever is asked next would say the same
            }
            if (status.isSuccess() && status.text("locks").equals("fenced")) {
                for (JsonElement each : status.json.getAsJsonArray("nodes")) {
                    var http = NodeQuery.textOrDash(each.getAsJsonObject(), "http");
                    if (!http.equals("-") && !nodes.contains(http)) {
                        nodes.add(http);
                    }
                }
            }
            return !status.isSuccess() || status.text("locks").equals("fenced");
        } catch (IOException unreachable) {
            throw unreachable();
        }
    }

    /**
     * Calls with every event, its kind and its data, until the node ends it or cannot be reached any more. After a
     * second without one the kind is {@link #KEEP_ALIVE}.
     *
     * @throws UncheckedIOException if it cannot be reached now
     */
    public void watch(String scope, BiConsumer<String, JsonObject> listener) {
        try {
            var request = request(current, "/watch?scope=" + scope).build();
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() >= 300) {
                throw new IOException("the node refuses to be watched: " + response.statusCode());
            }
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
                listen(lines, listener);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(recordError(failed));
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
