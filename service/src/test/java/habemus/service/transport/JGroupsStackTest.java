package habemus.service.transport;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jgroups.Address;
import org.jgroups.EmptyMessage;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCP_NIO2;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.stack.Protocol;
import org.jgroups.util.PassRegularMessagesUpDirectly;
import org.jgroups.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The settings that differ from the defaults of JGroups. The decision on the replicated log has the measurements. */
@Tag("slow")
class JGroupsStackTest {

    private static List<Protocol> protocols(TransportSecurity security) throws GeneralSecurityException {
        return new JGroupsStack(TestClusters.members(3), new NodeId(1), security, FailureDetectionTimeouts.AGGRESSIVE)
                .protocols();
    }

    private static BasicTCP transport(TransportSecurity security) throws GeneralSecurityException {
        return (BasicTCP) protocols(security).getFirst();
    }

    @Test
    void no_thread_blocks_on_an_unreachable_node() throws GeneralSecurityException {
        var tls = new TransportSecurity.Certificates(Path.of("keys"), Path.of("trusted"), "password");
        for (var transport : List.of(transport(new TransportSecurity.None()), transport(tls))) {
            assertThat(transport.tcpNodelay())
                    .as("a small message is sent at once")
                    .isTrue();
            assertThat(transport.getBundler())
                    .as("an unreachable node does not delay messages to others")
                    .isInstanceOf(PerDestinationBundler.class);
            assertThat(transport.getMessageProcessingPolicy())
                    .as("the reading thread delivers a message")
                    .isInstanceOf(PassRegularMessagesUpDirectly.class);
            assertThat(transport.getSockConnTimeout()).isLessThanOrEqualTo(500);
            assertThat(transport.getPortRange())
                    .as("listens only at the configured port")
                    .isZero();
        }
        assertThat(((TCP) transport(tls)).nonBlockingSends())
                .as("a paused node does not block the sender")
                .isTrue();
        assertThat(transport(new TransportSecurity.None()))
                .as("a paused node does not block the sender")
                .isInstanceOf(TCP_NIO2.class);
    }

    /** Saves the wake-up of another thread. */
    @Test
    void the_sender_writes_to_an_existing_connection_itself() throws Exception {
        var writing = new CompletableFuture<Thread>();
        var transport = new TCP_NIO2() {
            @Override
            public void doSend(byte[] data, int offset, int length, Address to) {
                writing.complete(Thread.currentThread());
            }
        };
        var there = UUID.randomUUID();
        var bundler = new DispatchTuning.DirectSend(there::equals);
        bundler.init(transport);
        bundler.send(new EmptyMessage(there).setSrc(UUID.randomUUID()));
        assertThat(writing.get(30, TimeUnit.SECONDS)).isSameAs(Thread.currentThread());
    }

    /** Measured with a partition of all nodes for some seconds: otherwise the outage lasted up to 6 s longer. */
    @Test
    void a_merge_does_not_wait_for_unreachable_nodes() throws GeneralSecurityException {
        var protocols = protocols(new TransportSecurity.None());
        var sockets = protocols.stream().filter(FD_SOCK2.class::isInstance).findFirst();
        assertThat((int) sockets.orElseThrow().getValue("connect_timeout")).isLessThanOrEqualTo(250);
        var membership = protocols.stream().filter(GMS.class::isInstance).findFirst();
        assertThat(((GMS) membership.orElseThrow()).getMergeTimeout()).isLessThanOrEqualTo(1_000);
        for (Protocol protocol : protocols) {
            if (protocol instanceof NAKACK2 || protocol instanceof UNICAST3) {
                assertThat((long) protocol.getValue("xmit_interval")).isLessThanOrEqualTo(100);
            }
        }
    }

    @Test
    void a_node_with_another_secret_is_not_discovered() throws GeneralSecurityException {
        assertThat(protocols(new TransportSecurity.SharedSecret("secret")).get(1))
                .as("below discovery")
                .isInstanceOf(ClusterEncryption.class);
    }
}
