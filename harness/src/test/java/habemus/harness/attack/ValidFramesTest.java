package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.client.ClientOptions;
import habemus.harness.site.PortBlock;
import habemus.protocol.NodeId;
import habemus.service.server.LockServerConfig;
import habemus.service.server.LockServerNode;
import habemus.service.transport.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node accepts the frames that the attacks mutate. If it refused them, the attacks would show nothing. */
@Tag("slow")
class ValidFramesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    @Test
    void a_node_answers_the_first_frames_of_a_peer_and_of_a_client() throws IOException, InterruptedException {
        try (var ports = PortBlock.reserve(1);
                var node = LockServerNode.start(LockServerConfig.of(
                        Member.parse("n1=127.0.0.1:" + ports.first()), new NodeId(1), Optional.of(folder)))) {
            var peer = node.config().selfMember().address();
            var victim = new Victim(
                    List.of(new Victim.Node(peer, node.listenAddress(), peer)),
                    ClientOptions.to("127.0.0.1:1"),
                    Optional.empty(),
                    Optional.empty());
            assertThat(answer(victim, Victim.Port.PEER, ValidFrames.joining(LockServerConfig.DEFAULT_CLUSTER)))
                    .contains(CertificateAttack.PEER_HELLO);
            assertThat(answer(victim, Victim.Port.PEER, ValidFrames.ofPeer().getFirst()))
                    .contains("the cluster here is");
            assertThat(answer(victim, Victim.Port.CLIENT, ValidFrames.hello("")))
                    .contains("n1");
        }
    }

    private static String answer(Victim victim, Victim.Port port, byte[] frame)
            throws IOException, InterruptedException {
        try (var socket = SocketExchange.connect(victim, port, 0)) {
            var bytes = ValidFrames.withLength(frame);
            return new String(
                    SocketExchange.send(socket, bytes, SocketExchange.Ending.HALF_CLOSE, TIMEOUT)
                            .orElseThrow(),
                    ISO_8859_1);
        }
    }
}
