package habemus.service.http;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import habemus.protocol.NodeId;
import habemus.service.http.Answers.CountsOf;
import habemus.service.http.Answers.FencedHealth;
import habemus.service.http.Answers.FencedStatus;
import habemus.service.http.Answers.NodeOf;
import habemus.service.net.Member;
import habemus.service.session.FencedConfig;
import habemus.service.session.FencedNode;
import habemus.service.session.Tls;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The nodes of the service, as one of them finds them by asking at their doors. */
final class Neighbours {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String FENCED = "fenced";
    private static final Set<String> SAID = Set.of("node", "state", "pid", "leader", "term");

    private final FencedNode node;
    private final FencedConfig config;
    private final HttpClient client;
    private String http = "";

    Neighbours(FencedNode node) {
        this.node = node;
        config = node.config();
        var builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(PATIENCE);
        config.tls().map(Tls::of).ifPresent(builder::sslContext);
        client = builder.build();
    }

    synchronized void reachableAt(String here) {
        http = here;
    }

    FencedHealth health() {
        return new FencedHealth(
                config.me().toString(),
                "up",
                ProcessHandle.current().pid(),
                leader(),
                node.log().term());
    }

    private @Nullable String leader() {
        return node.reception().leader().map(NodeId::toString).orElse(null);
    }

    FencedStatus status() {
        var counts = node.counts();
        var asked = node.log().members().stream().map(this::ask).toList();
        return new FencedStatus(
                config.me().toString(),
                FENCED,
                FENCED,
                leader(),
                node.log().isFaultTolerant(),
                new CountsOf(counts.sessions(), counts.waiters(), counts.applied()),
                asked.stream().map(CompletableFuture::join).toList());
    }

    private CompletableFuture<NodeOf> ask(Member member) {
        if (member.node().equals(config.me())) {
            return CompletableFuture.completedFuture(describe(member, health()));
        }
        var scheme = config.tls().isPresent() ? "https://" : "http://";
        var request = HttpRequest.newBuilder(URI.create(scheme + http(member) + "/health"))
                .timeout(PATIENCE)
                .build();
        return client.sendAsync(request, BodyHandlers.ofString()).handle((answer, why) -> judge(member, answer, why));
    }

    private NodeOf judge(Member member, @Nullable HttpResponse<String> answer, @Nullable Throwable why) {
        if (answer == null) {
            boolean down = why instanceof ConnectException || why != null && why.getCause() instanceof ConnectException;
            return absent(member, down ? "down" : "silent");
        }
        return health(answer.body()).map(told -> describe(member, told)).orElseGet(() -> absent(member, "silent"));
    }

    /** What a node says of itself; nothing if that is no node of this kind. */
    private static Optional<FencedHealth> health(String text) {
        try {
            return Optional.of(JsonParser.parseString(text).getAsJsonObject())
                    .filter(told -> told.keySet().containsAll(SAID))
                    .map(Neighbours::health);
        } catch (JsonParseException | IllegalStateException | UnsupportedOperationException stranger) {
            return Optional.empty();
        }
    }

    private static FencedHealth health(JsonObject told) {
        var leader = told.get("leader");
        return new FencedHealth(
                told.get("node").getAsString(),
                told.get("state").getAsString(),
                told.get("pid").getAsLong(),
                leader.isJsonNull() ? null : leader.getAsString(),
                told.get("term").getAsLong());
    }

    private NodeOf describe(Member member, FencedHealth told) {
        return new NodeOf(
                member.node().toString(),
                address(member),
                told.state(),
                told.leader(),
                told.term(),
                null,
                told.pid(),
                http(member));
    }

    private NodeOf absent(Member member, String state) {
        return new NodeOf(member.node().toString(), address(member), state, null, null, null, null, http(member));
    }

    private static String address(Member member) {
        return member.address().getHostString() + ":" + member.address().getPort();
    }

    /** As far above its port as ours is above ours. */
    private synchronized String http(Member member) {
        if (member.node().equals(config.me())) {
            return http;
        }
        return member.address().getHostString() + ":" + (member.address().getPort() + above());
    }

    private int above() {
        int port = config.http().getPort();
        return config.members().stream()
                .filter(member -> port > 0 && member.node().equals(config.me()))
                .map(member -> port - member.address().getPort())
                .findFirst()
                .orElse(FencedConfig.HTTP);
    }
}
