package habemus.service.session;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.fenced.Answer;
import habemus.fenced.Name;
import habemus.fenced.Parcel;
import habemus.fenced.Talk;
import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.node.Certificates;
import habemus.service.node.Clusters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A door with TLS and a policy. */
class SecuredDoorTest {

    @TempDir
    private static Path folder;

    private static final String TOKEN = "8f2d";

    private final List<Member> members = Clusters.members(1);
    private Optional<FencedNode> node = Optional.empty();

    private static Certificates certificates;

    @BeforeAll
    static void certificates() throws IOException, InterruptedException {
        certificates = new Certificates(folder, "node", "ops").make("stranger");
    }

    private FencedNode start(boolean tls) throws IOException {
        var policy = Files.write(
                folder.resolve("policy"),
                List.of(
                        Access.proof(TOKEN) + " billing use,inspect:orders-*",
                        "certificate ops use,inspect,administer:*"));
        var config = FencedConfig.of(members, new NodeId(1), Optional.empty()).allowing(policy);
        var started = FencedNode.start(tls ? config.securedBy(certificates.of("node")) : config);
        node = Optional.of(started);
        return started;
    }

    @AfterEach
    void stop() {
        node.ifPresent(FencedNode::close);
    }

    private RawClient client(String name) throws IOException {
        var at = node.orElseThrow().address();
        return new RawClient(
                Tls.of(certificates.of(name)).getSocketFactory().createSocket(at.getAddress(), at.getPort()));
    }

    @Test
    void a_token_opens_the_door_and_gives_rights_by_name() throws IOException {
        start(false);
        try (var client = RawClient.connect(node.orElseThrow().address())) {
            assertThat(client.hello(TOKEN).node()).isEqualTo("n1");
            long session = client.open(1);
            client.acquire(session, 1, "orders-7");
            assertThat(client.answer(session, 1)).isInstanceOf(Answer.Granted.class);
            client.acquire(session, 2, "payroll");
            assertThat(client.answer(session, 2)).isEqualTo(new Answer.Refused(Answer.Fault.FORBIDDEN));
            client.send(new Parcel.Look(1, Name.lock("orders-7")));
            assertThat(client.read(Parcel.Seen.class, any -> true).description().holders())
                    .hasSize(1);
            client.send(new Parcel.Look(2, Name.lock("payroll")));
            var withheld = client.read(Parcel.Withheld.class, any -> true);
            assertThat(withheld.number()).isEqualTo(2);
            assertThat(withheld.why().code()).isEqualTo("forbidden");
            client.send(new Parcel.LookForDeadlocks(3));
            assertThat(client.read(Parcel.Withheld.class, any -> true).number()).isEqualTo(3);
            client.renew(session, 1); // it is served as before
        }
        assertThat(node.orElseThrow().access().refused()).isEqualTo(3);
    }

    @Test
    void who_shows_nothing_or_a_wrong_token_is_refused() throws IOException {
        start(false);
        for (String token : List.of("", "wrong")) {
            try (var client = RawClient.connect(node.orElseThrow().address())) {
                client.send(new Parcel.Hello(Parcel.VERSION, token));
                assertThat(client.refusal().code()).isEqualTo("not-known");
            }
        }
        assertThat(node.orElseThrow().access().refused()).isEqualTo(2);
    }

    @Test
    void with_tls_a_certificate_opens_the_door() throws IOException {
        start(true);
        try (var client = client("ops")) {
            client.hello("");
            long session = client.open(1);
            client.acquire(session, 1, "payroll");
            assertThat(client.answer(session, 1)).isInstanceOf(Answer.Granted.class);
        }
    }

    @Test
    void a_watcher_is_told_of_what_it_may_see() throws IOException {
        start(true);
        try (var ops = client("ops");
                var billing = client("ops")) {
            ops.hello("");
            billing.hello(TOKEN);
            billing.say(new Talk.Watch());
            long other = billing.open(2); // so the watch has begun
            long session = ops.open(1);
            ops.acquire(session, 1, "payroll");
            ops.answer(session, 1);
            billing.acquire(other, 1, "orders-7");
            assertThat(billing.read(Talk.Changed.class, any -> true).name()).isEqualTo(Name.lock("orders-7"));
        }
    }

    @Test
    void a_certificate_that_is_not_trusted_proves_nothing() throws IOException {
        start(true);
        try (var stranger = client("stranger")) {
            stranger.send(new Parcel.Hello(Parcel.VERSION, ""));
            assertThat(stranger.refusal().code()).isEqualTo("not-known");
        }
    }

    @Test
    void who_speaks_without_tls_is_not_heard_and_hurts_nobody() throws IOException {
        start(true);
        try (var plain = RawClient.connect(node.orElseThrow().address());
                var client = client("ops")) {
            plain.send(new Parcel.Hello(Parcel.VERSION, TOKEN));
            assertThat(plain.isClosed()).isTrue();
            client.hello("");
            assertThat(client.open(1)).isPositive();
        }
    }

    @Test
    void who_may_do_other_things_since_the_policy_was_changed_has_to_come_in_again() throws IOException {
        var started = start(false);
        try (var client = RawClient.connect(started.address())) {
            client.hello(TOKEN);
            client.open(1);
            Files.write(folder.resolve("policy"), List.of(Access.proof("another") + " billing use:orders-*"));
            assertThat(client.isClosed()).isTrue();
        }
        try (var client = RawClient.connect(started.address())) {
            client.send(new Parcel.Hello(Parcel.VERSION, TOKEN));
            assertThat(client.refusal().code()).isEqualTo("not-known");
        }
    }
}
