package habemus.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole cluster of real processes, whose leader is killed. */
@Timeout(180)
class UpCommandTest {

    private static final double SECONDS = 5; // two on a machine with nothing else to do

    @TempDir
    Path folder;

    /** One cluster for all of it, since it takes its time to come up. */
    @Test
    void a_killed_leader_is_replaced_in_a_higher_term_and_restarted_and_all_nodes_end_with_up(TestReporter reporter)
            throws Exception {
        try (var processes = new Processes(folder)) {
            var up = processes.start("up -n 5 --election term-majority --restart --data " + folder + " --json");
            var first = leader(up, 0);
            var killed = pid(up, first.get("leader").getAsString());
            Processes.kill("KILL", killed);
            var second = leader(up, 1);
            assertThat(second.get("term").getAsLong())
                    .isGreaterThan(first.get("term").getAsLong());
            double seconds = second.get("secondsAfterDown").getAsDouble();
            reporter.publishEntry("seconds to a new leader after kill -9", Double.toString(seconds));
            assertThat(seconds).as("to a new leader after kill -9").isLessThan(SECONDS);
            Processes.await(
                    () -> pid(up, first.get("leader").getAsString()) != killed, "the killed node to be started again");
            var children = up.process().descendants().map(ProcessHandle::pid).toList();
            assertThat(children).hasSize(5);
            Processes.kill("KILL", up.process().pid());
            Processes.await(() -> children.stream().noneMatch(Processes::isAlive), "the nodes to end");
        }
    }

    private static List<JsonObject> events(Processes.Running up, String event) {
        return up.said()
                .lines()
                .filter(line -> line.endsWith("}"))
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(line -> line.get("event").getAsString().equals(event))
                .toList();
    }

    private static JsonObject leader(Processes.Running up, int index) {
        Processes.await(() -> events(up, "leader").size() > index, () -> "a leader in " + up.said() + up.complained());
        return events(up, "leader").get(index);
    }

    /** The latest. */
    private static long pid(Processes.Running up, String node) {
        return events(up, "node").stream()
                .filter(line -> line.get("name").getAsString().equals(node))
                .toList()
                .getLast()
                .get("pid")
                .getAsLong();
    }
}
