package habemus.service.net;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.service.node.Clusters;
import java.security.GeneralSecurityException;
import org.jgroups.protocols.PerDestinationBundler;
import org.jgroups.protocols.TCP;
import org.junit.jupiter.api.Test;

/** What is not as JGroups has it by itself; what each costs was measured, see the decision on the log. */
class StackTest {

    @Test
    void nobody_waits_for_somebody_else() throws GeneralSecurityException {
        var transport = (TCP) new Stack(Clusters.members(3), new NodeId(1), new Secrecy.None(), Pace.BRISK)
                .protocols()
                .getFirst();
        assertThat(transport.tcpNodelay()).as("a small message is sent at once").isTrue();
        assertThat(transport.getBundler())
                .as("who cannot be reached holds up nobody else")
                .isInstanceOf(PerDestinationBundler.class);
        assertThat(transport.nonBlockingSends()).as("nor does who stands still").isTrue();
        assertThat(transport.getSockConnTimeout()).isLessThanOrEqualTo(500);
        assertThat(transport.getPortRange()).as("nowhere else than it was told").isZero();
    }
}
