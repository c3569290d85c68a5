package habemus.harness.cluster;

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
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** HTTP client of running nodes. If one node does not answer, the client tries the next. For any number of threads. */
public class NodeHttpClient {

    /** Kind of the events by which a node shows that it is up. */
    public static final String KEEP_ALIVE = "keep-alive";

    /** The default timeout of a request. */
    public static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    /** How long a node may work on a request before the client asks whether it is up. */
    private static final Duration HEALTH_CHECK_INTERVAL = Duration.ofSeconds(2);

    private static final int SERVICE_UNAVAILABLE = 503;

    /** The header of an answer that may be old: when the node was last certainly current. */
    private static final String STALE_SINCE = "Habemus-Stale-Since";

    private final HttpClient client;
    private final Optional<String> token;
    private final Optional<SSLContext> tls;
    private final List<String> nodes;
    private volatile String current;
    private volatile IOException lastError = new IOException("no node was asked");

    /** Of one node, without TLS. */
    public NodeHttpClient(String address) {
        this(List.of(address), Optional.empty(), Optional.empty());
    }

    /**
     * @param addresses at least one, such as {@code 127.0.0.1:7801}
     * @param token sent with every request
     */
    public NodeHttpClient(List<String> addresses, Optional<String> token, Optional<SSLContext> tls) {
        nodes = new CopyOnWriteArrayList<>(addresses);
        this.token = token;
        this.tls = tls;
        current = addresses.getFirst();
        var builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(REQUEST_TIMEOUT);
        tls.ifPresent(builder::sslContext);
        client = builder.build();
    }

    /** Encodes a name as a part of a path. */
    public static String encode(String name) {
        return URLEncoder.encode(name, UTF_8).replace("+", "%20");
    }

    /**
     * What a node has answered.
     *
     * @param json with the member {@code staleSince} if the answer may be old
     */
    public record Reply(int status, JsonObject json) {

        public boolean isSuccess() {
            return status < 300;
        }

        public String text(String member) {
            return json.get(member).getAsString();
        }

        /** @param member of the error object: code, message or hint */
        public String error(String member) {
            return json.getAsJsonObject("error").get(member).getAsString();
        }

        /** Whether this node cannot answer, and another may be able to. */
        private boolean shouldTryNextNode() {
            return status == SERVICE_UNAVAILABLE
                    && json.has("error")
                    && List.of("stopping", "failed").contains(error("code"));
        }
    }

    /** The nodes that this client knows. */
    public final List<String> nodes() {
        return List.copyOf(nodes);
    }

    public final boolean hasTls() {
        return tls.isPresent();
    }

    /** Why the last request that failed has failed. */
    public final IOException lastError() {
        return lastError;
    }

    private IOException recordError(IOException cause) {
        lastError = cause;
        return cause;
    }

    /** @throws IOException if no node answers in time */
    public final Reply get(String path, Duration timeout) throws IOException {
        return tryEach(node -> request(node, path).timeout(timeout));
    }

    /** @throws IOException if no node answers in time */
    public final Reply post(String path, JsonObject body, Duration timeout) throws IOException {
        return tryEach(node -> postRequest(node, path, body).timeout(timeout));
    }

    /** @throws IOException if no node answers in time */
    public final Reply delete(String path, Duration timeout) throws IOException {
        return tryEach(node -> request(node, path).timeout(timeout).DELETE());
    }

    /**
     * Reads bytes from the current node only.
     *
     * @param onError called with the reply if it is not a success
     * @throws IOException if the node does not answer in time
     */
    public final byte[] download(String path, Duration timeout, Consumer<Reply> onError) throws IOException {
        try {
            var request = request(current, path).timeout(timeout).build();
            var response = client.send(request, BodyHandlers.ofByteArray());
            if (response.statusCode() >= 300) {
                onError.accept(new Reply(response.statusCode(), json(new String(response.body(), UTF_8))));
            }
            return response.body();
        } catch (IOException unreachable) {
            throw recordError(unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    private HttpRequest.Builder postRequest(String node, String path, JsonObject body) {
        return request(node, path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body.toString()));
    }

    private HttpRequest.Builder request(String node, String path) {
        var scheme = tls.isPresent() ? "https://" : "http://";
        var builder = HttpRequest.newBuilder(URI.create(scheme + node + path));
        token.ifPresent(secret -> builder.header("Authorization", "Bearer " + secret));
        return builder;
    }

    private interface RequestFactory {
        HttpRequest.Builder forNode(String node);
    }

    /** Asks one node after the other, and stays with the one that answers. */
    private Reply tryEach(RequestFactory requests) throws IOException {
        IOException last = new IOException("no node was asked");
        for (int tried = 0; tried < nodes.size(); tried++) {
            var node = current;
            try {
                var reply = send(node, requests.forNode(node).build());
                if (!reply.shouldTryNextNode() || nodes.size() == 1) {
                    return reply;
                }
                last = new IOException(reply.error("message"));
            } catch (IOException unreachable) {
                last = unreachable;
            }
            if (Thread.currentThread().isInterrupted()) {
                break;
            }
            switchNode(node);
        }
        throw recordError(last);
    }

    private synchronized void switchNode(String from) {
        if (current.equals(from)) {
            current = nodes.get((nodes.indexOf(from) + 1) % nodes.size());
        }
    }

    private Reply send(String node, HttpRequest request) throws IOException {
        try {
            return reply(node, client.send(request, BodyHandlers.ofString()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException(interrupted);
        }
    }

    private static Reply reply(String node, HttpResponse<String> response) throws IOException {
        try {
            var json = json(response.body());
            response.headers().firstValue(STALE_SINCE).ifPresent(since -> json.addProperty("staleSince", since));
            return new Reply(response.statusCode(), json);
        } catch (JsonParseException | IllegalStateException notJson) {
            throw new IOException("the process that listens at " + node + " is not a node", notJson);
        }
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    /**
     * Sends a request that a node may work on for long. If the node stops answering, the client sends the request to
     * the next one: so the body must identify it, for instance by a ticket.
     *
     * @param timeout for all nodes together
     * @throws IOException if no node answers in time
     */
    public final Reply postAndWait(String path, JsonObject body, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        var checkInterval = min(HEALTH_CHECK_INTERVAL, timeout.dividedBy(4));
        IOException last = new IOException("no node was asked");
        for (int unresponsive = 0; unresponsive < nodes.size(); unresponsive++) {
            var node = current;
            var left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
            var pending =
                    client.sendAsync(postRequest(node, path, body).timeout(left).build(), BodyHandlers.ofString());
            try {
                while (!pending.isDone() && isResponsive(node, pending, checkInterval)) {
                    unresponsive = 0; // this node works on the request
                }
                var reply = reply(node, pending.get(1, TimeUnit.MILLISECONDS));
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
                pending.cancel(true);
            }
            switchNode(node);
        }
        throw recordError(last);
    }

    /** Waits a while for the reply. If there is none, asks whether the node is up. */
    private boolean isResponsive(String node, CompletableFuture<HttpResponse<String>> pending, Duration checkInterval)
            throws InterruptedException {
        try {
            pending.get(checkInterval.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException failed) {
            return true;
        } catch (TimeoutException stillWaiting) {
            if (nodes.size() == 1) {
                return true;
            }
        }
        try {
            var health = request(node, "/health").timeout(checkInterval).build();
            return send(node, health).isSuccess();
        } catch (IOException unreachable) {
            return false;
        }
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /**
     * Asks for the status of the cluster. If it runs the lock service, the client knows its other nodes from then on.
     *
     * @param timeout for each node
     * @throws IOException if no node answers in time
     */
    public final Reply fetchNodes(Duration timeout) throws IOException {
        var status = get("/status", min(timeout, REQUEST_TIMEOUT));
        if (isLockService(status)) {
            for (JsonElement node : status.json.getAsJsonArray("nodes")) {
                var address = node.getAsJsonObject().get("http");
                if (address != null && !address.isJsonNull() && !nodes.contains(address.getAsString())) {
                    nodes.add(address.getAsString());
                }
            }
        }
        return status;
    }

    /** Whether this status is that of the lock service. */
    public static boolean isLockService(Reply status) {
        return status.isSuccess() && status.text("lockAlgorithm").equals("fenced");
    }

    /**
     * Calls the listener with the kind and the data of every event, until the node ends the stream. After a second
     * without an event, the kind is {@link #KEEP_ALIVE}.
     *
     * @param scope node or cluster
     * @throws UncheckedIOException if the node cannot be reached, or the connection breaks
     */
    public final void watch(String scope, BiConsumer<String, JsonObject> listener) {
        try {
            var request = request(current, "/watch?scope=" + scope).build();
            HttpResponse<InputStream> response = client.send(request, BodyHandlers.ofInputStream());
            if (response.statusCode() >= 300) {
                throw new IOException("the node rejects the watch: HTTP status " + response.statusCode());
            }
            try (var lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
                readEvents(lines, listener);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(recordError(failed));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void readEvents(BufferedReader lines, BiConsumer<String, JsonObject> listener) throws IOException {
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
