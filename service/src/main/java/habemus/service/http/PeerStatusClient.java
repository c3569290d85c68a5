package habemus.service.http;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import habemus.protocol.NodeId;
import habemus.service.http.ApiResponses.CountsJson;
import habemus.service.http.ApiResponses.LockServerHealth;
import habemus.service.http.ApiResponses.LockServerStatus;
import habemus.service.http.ApiResponses.LogJson;
import habemus.service.http.ApiResponses.NodeJson;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import habemus.service.transport.TlsContexts;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The status of all lock servers: asks the other nodes for {@code /health} over HTTP, in parallel. */
final class PeerStatusClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String FENCED = "fenced";
    private static final Set<String> HEALTH_FIELDS = Set.of("node", "state", "pid", "leader", "term");

    private final LockServerNode node;
    private final LockServerConfig config;
    private final NodeHealth nodeHealth;
    private final HttpClient client;
    private String httpAddress = "";

    PeerStatusClient(LockServerNode node, NodeHealth nodeHealth) {
        this.node = node;
        this.nodeHealth = nodeHealth;
        config = node.config();
        var builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(TIMEOUT);
        config.tls().map(TlsContexts::of).ifPresent(builder::sslContext);
        client = builder.build();
    }

    synchronized void setHttpAddress(String address) {
        httpAddress = address;
    }

    LockServerHealth health() {
        return new LockServerHealth(
                config.self().toString(),
                "up",
                ProcessHandle.current().pid(),
                leader(),
                node.log().term(),
                nodeHealth.reasons(),
                nodeHealth.staleSince().orElse(null));
    }

    private @Nullable String leader() {
        return node.loop().leader().map(NodeId::toString).orElse(null);
    }

    LockServerStatus status() {
        var stats = node.stats();
        var nodes = node.log().members().stream().map(this::fetchHealth).toList();
        return new LockServerStatus(
                config.self().toString(),
                FENCED,
                FENCED,
                leader(),
                node.log().isFaultTolerant(),
                LogJson.of(node.log().health()),
                new CountsJson(stats.sessions(), stats.waiters(), stats.applied()),
                nodeHealth.staleSince().orElse(null),
                nodes.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<NodeJson> fetchHealth(Member member) {
        if (member.node().equals(config.self())) {
            return CompletableFuture.completedFuture(describe(member, health()));
        }
        if (member.address().getPort() == 0) {
            return CompletableFuture.completedFuture(unavailable(member, "embedded"));
        }
        var scheme = config.tls().isPresent() ? "https://" : "http://";
        var request = HttpRequest.newBuilder(URI.create(scheme + httpAddress(member) + "/health"))
                .timeout(TIMEOUT)
                .build();
        return client.sendAsync(request, BodyHandlers.ofString())
                .handle((response, failure) -> toNodeJson(member, response, failure));
    }

    /** A node that refuses connections is down; one that does not respond, or is no lock server, is unreachable. */
    private NodeJson toNodeJson(Member member, @Nullable HttpResponse<String> response, @Nullable Throwable failure) {
        if (response == null) {
            boolean isDown = failure instanceof ConnectException
                    || failure != null && failure.getCause() instanceof ConnectException;
            return unavailable(member, isDown ? "down" : "unreachable");
        }
        return health(response.body())
                .map(health -> describe(member, health))
                .orElseGet(() -> unavailable(member, "unreachable"));
    }

    /** Empty if the text is not the health of a lock server. */
    private static Optional<LockServerHealth> health(String text) {
        try {
            return Optional.of(JsonParser.parseString(text).getAsJsonObject())
                    .filter(json -> json.keySet().containsAll(HEALTH_FIELDS))
                    .map(PeerStatusClient::health);
        } catch (JsonParseException | IllegalStateException | UnsupportedOperationException invalid) {
            return Optional.empty();
        }
    }

    private static LockServerHealth health(JsonObject json) {
        var leader = json.get("leader");
        return new LockServerHealth(
                json.get("node").getAsString(),
                json.get("state").getAsString(),
                json.get("pid").getAsLong(),
                leader.isJsonNull() ? null : leader.getAsString(),
                json.get("term").getAsLong(),
                List.of(),
                null);
    }

    private NodeJson describe(Member member, LockServerHealth health) {
        return new NodeJson(
                member.node().toString(),
                address(member),
                health.state(),
                health.leader(),
                health.term(),
                null,
                health.pid(),
                httpAddress(member));
    }

    private NodeJson unavailable(Member member, String state) {
        return new NodeJson(
                member.node().toString(), address(member), state, null, null, null, null, httpAddress(member));
    }

    private static String address(Member member) {
        return member.addressText();
    }

    /** Assumes that every node has the same distance between its node port and its HTTP port. */
    private synchronized String httpAddress(Member member) {
        if (member.node().equals(config.self())) {
            return httpAddress;
        }
        return member.address().getHostString() + ":" + (member.address().getPort() + httpPortOffset());
    }

    private int httpPortOffset() {
        int port = config.httpAddress().getPort();
        return config.members().stream()
                .filter(member -> port > 0 && member.node().equals(config.self()))
                .map(member -> port - member.address().getPort())
                .findFirst()
                .orElse(LockServerConfig.HTTP_PORT_OFFSET);
    }
}
