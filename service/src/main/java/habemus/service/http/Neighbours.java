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
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The nodes of the service, as one of them finds them by asking at their doors. */
final class Neighbours {

    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final String FENCED = "fenced";

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
                config.me().toString(), "up", ProcessHandle.current().pid(), leader());
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
            return CompletableFuture.completedFuture(
                    describe(member, "up", leader(), ProcessHandle.current().pid()));
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
            return describe(member, down ? "down" : "silent", null, null);
        }
        return json(answer.body())
                .filter(told -> told.has("pid") && told.has("leader"))
                .map(told -> describe(
                        member,
                        "up",
                        told.get("leader").isJsonNull()
                                ? null
                                : told.get("leader").getAsString(),
                        told.get("pid").getAsLong()))
                .orElseGet(() -> describe(member, "silent", null, null));
    }

    private static Optional<JsonObject> json(String text) {
        try {
            return Optional.of(JsonParser.parseString(text).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException stranger) {
            return Optional.empty();
        }
    }

    /** @param leader of the log, whom it names */
    private NodeOf describe(Member member, String state, @Nullable String leader, @Nullable Long pid) {
        return new NodeOf(
                member.node().toString(),
                member.address().getHostString() + ":" + member.address().getPort(),
                state,
                leader,
                null,
                null,
                pid,
                http(member));
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
