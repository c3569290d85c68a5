package habemus.harness.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A connection between two simulated processes behaves as TCP does. */
class VirtualConnectionTest {

    private static final long SECOND = 1_000_000_000L;
    private static final byte[] NO_BYTES = {};

    private final List<String> received = new ArrayList<>();
    private final List<VirtualConnection.End> opened = new ArrayList<>();
    private final RunTrace trace = new RunTrace(false);
    private final VirtualTime time = new VirtualTime(trace);
    private final VirtualNetwork network = new VirtualNetwork(time, trace, new SplittableRandom(1), 2);
    private final VirtualNetwork.Host client = network.start(0, new VirtualLoop(time, 1, 0));
    private final VirtualNetwork.Host server = network.start(1, new VirtualLoop(time, 1, 0));

    private final class Notes implements VirtualConnection.Receiver {
        private final String name;

        Notes(String name) {
            this.name = name;
        }

        @Override
        public void onFrame(int kind, byte[] bytes) {
            received.add(name + " " + kind);
        }

        @Override
        public void onClosed() {
            received.add(name + " closed");
        }
    }

    private void connect() {
        network.connect(client, 1, false, new VirtualNetwork.Dialer() {
            @Override
            public void onOpened(VirtualConnection.End end) {
                opened.add(end);
                end.setReceiver(new Notes("client"));
            }

            @Override
            public void onFailed() {
                received.add("failed");
            }
        });
        run(3);
    }

    private VirtualConnection.End open() {
        server.setClientAcceptor(end -> end.setReceiver(new Notes("server")));
        connect();
        return opened.getFirst();
    }

    private void run(int seconds) {
        time.runUntil(time.now() + seconds * SECOND);
    }

    @Test
    void a_connection_to_a_process_that_does_not_listen_fails() {
        connect();
        assertThat(received).containsExactly("failed");
    }

    @Test
    void frames_arrive_in_their_order_and_then_the_end() {
        var end = open();
        end.send(1, NO_BYTES);
        end.send(2, NO_BYTES);
        end.close();
        run(1);
        assertThat(received).containsExactly("server 1", "server 2", "server closed");
    }

    @Test
    void a_cut_holds_frames_back_until_it_is_healed() {
        var end = open();
        network.cut(0, 1);
        end.send(1, NO_BYTES);
        end.close();
        run(10);
        assertThat(received).isEmpty();
        network.heal(0, 1);
        run(1);
        assertThat(received).containsExactly("server 1", "server closed");
    }

    @Test
    void a_broken_connection_loses_what_is_in_flight() {
        var end = open();
        end.send(1, NO_BYTES);
        network.connectionsOf(0).getFirst().breakNow(1, 1);
        run(1);
        assertThat(received).containsExactlyInAnyOrder("client closed", "server closed");
    }

    @Test
    void a_machine_that_is_up_again_refuses_the_connections_of_its_former_life() {
        var end = open();
        server.loop().end();
        network.end(server, true);
        end.send(1, NO_BYTES);
        run(1);
        assertThat(received).isEmpty();
        network.start(1, new VirtualLoop(time, 1, 0));
        end.send(2, NO_BYTES);
        run(1);
        assertThat(received).containsExactly("client closed");
    }
}
