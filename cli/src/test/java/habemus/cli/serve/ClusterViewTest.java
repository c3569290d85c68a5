package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.cli.serve.ClusterView.ClusterEvent;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lines that {@code habemus up} prints for a cluster of three nodes. */
class ClusterViewTest {

    private final ClusterView view = new ClusterView();

    @BeforeEach
    void startThreeNodes() {
        for (int node = 1; node <= 3; node++) {
            view.add("n" + node, "127.0.0.1:760" + node, "127.0.0.1:780" + node);
            view.onStarted("n" + node, 100 + node);
            view.onReady("n" + node);
        }
    }

    private static JsonObject json(String text) {
        return JsonParser.parseString(text).getAsJsonObject();
    }

    private List<ClusterEvent> reportLeader(String node, String leader) {
        return view.onNodeEvent(node, "log-leader", json("{\"node\":\"" + node + "\",\"leader\":\"" + leader + "\"}"));
    }

    private List<ClusterEvent> reportLock(String node) {
        return view.onNodeEvent(
                node, "lock", json("{\"name\":\"orders\",\"holder\":\"alice\",\"fence\":12,\"waiters\":[]}"));
    }

    @Test
    void a_ready_cluster_shows_its_leader_addresses_and_next_commands() {
        var events = reportLeader("n2", "n2");
        assertThat(events).extracting(ClusterEvent::text).first().isEqualTo("leader elected: n2");
        assertThat(events.getLast().text())
                .startsWith("ready: all 3 nodes are up, n2 is the leader\n")
                .contains("n3    up     103  127.0.0.1:7603  127.0.0.1:7803  ")
                .contains("export HABEMUS_AT=127.0.0.1:7801,127.0.0.1:7802,127.0.0.1:7803\n")
                .contains("./habemus lock orders -- sleep 60 ")
                .contains("kill -9 102 ");
        assertThat(reportLeader("n1", "n2")).isEmpty();
    }

    @Test
    void a_killed_leader_shows_its_successor_and_the_locks_that_are_still_held() {
        reportLeader("n2", "n2");
        reportLock("n1");
        assertThat(view.onExited("n2", "killed by signal 9"))
                .extracting(ClusterEvent::text)
                .first()
                .isEqualTo("n2 is down (killed by signal 9; it was the leader)");
        assertThat(reportLeader("n1", "n3"))
                .extracting(ClusterEvent::text)
                .first()
                .asString()
                .matches("leader changed: n3 leads, \\d+\\.\\d\\d s after n2 went down;"
                        + " locks still held: orders by alice \\(fence 12\\)");
    }

    @Test
    void a_lost_majority_is_reported() {
        reportLeader("n2", "n2");
        view.onExited("n1", "killed by signal 9");
        assertThat(view.onExited("n3", "killed by signal 9").getFirst().text())
                .isEqualTo("n3 is down (killed by signal 9; no majority is up: requests wait)");
    }
}
