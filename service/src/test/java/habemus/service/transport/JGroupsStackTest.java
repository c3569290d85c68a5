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
import org.junit.jupiter.api.Test;

/** What is not as JGroups has it by itself; what each costs was measured, see the decision on the log. */
class JGroupsStackTest {

    private static List<Protocol> protocols(TransportSecurity transportSecurity) throws GeneralSecurityException {
        return new JGroupsStack(
                        TestClusters.members(3), new NodeId(1), transportSecurity, FailureDetectionTimeouts.AGGRESSIVE)
                .protocols();
    }

    private static BasicTCP transport(TransportSecurity transportSecurity) throws GeneralSecurityException {
        return (BasicTCP) protocols(transportSecurity).getFirst();
    }

    @Test
    void nobody_waits_for_somebody_else() throws GeneralSecurityException {
        var tls = new TransportSecurity.Certificates(Path.of("keys"), Path.of("trusted"), "password");
        for (var transport : List.of(transport(new TransportSecurity.None()), transport(tls))) {
            assertThat(transport.tcpNodelay())
                    .as("a small message is sent at once")
                    .isTrue();
            assertThat(transport.getBundler())
                    .as("who cannot be reached holds up nobody else")
                    .isInstanceOf(PerDestinationBundler.class);
            assertThat(transport.getMessageProcessingPolicy())
                    .as("who reads a message passes it up")
                    .isInstanceOf(PassRegularMessagesUpDirectly.class);
            assertThat(transport.getSockConnTimeout()).isLessThanOrEqualTo(500);
            assertThat(transport.getPortRange())
                    .as("nowhere else than it was told")
                    .isZero();
        }
        assertThat(((TCP) transport(tls)).nonBlockingSends())
                .as("nor does who stands still")
                .isTrue();
        assertThat(transport(new TransportSecurity.None())).as("the same").isInstanceOf(TCP_NIO2.class);
    }

    /** Else another thread would have to be woken. */
    @Test
    void who_sends_to_somebody_within_reach_writes_it_itself() throws Exception {
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

    /** Measured by cutting all wires for some seconds: without these nobody was served for up to 6 s after. */
    @Test
    void those_who_find_each_other_again_do_not_wait_for_who_is_not_there() throws GeneralSecurityException {
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
    void whom_nobody_can_read_is_not_found() throws GeneralSecurityException {
        assertThat(protocols(new TransportSecurity.SharedSecret("secret")).get(1))
                .as("below discovery")
                .isInstanceOf(ClusterEncryption.class);
    }
}
