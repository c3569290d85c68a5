package habemus.lab.trace;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.lab.diagram.svg.LogSvg;
import habemus.lab.diagram.svg.RunSvg;
import habemus.protocol.ByteString;
import habemus.protocol.EntryId;
import habemus.protocol.Event;
import habemus.protocol.LogEntry;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.simulate.LogSummary;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Traces of Raft: labels, heartbeats, pictures. */
class RaftTraceTest {

    private static Recording recording() {
        var algorithm = Catalogue.find("raft").orElseThrow();
        var events = new ArrayList<TraceEvent>();
        Simulation.of(algorithm.create(AlgorithmParameters.defaults()), World.of(Topology.complete(3)), 1)
                .withTrace(events::add)
                .run();
        return new Recording("three nodes", Topology.complete(3).nodes(), events);
    }

    @Test
    void a_label_has_the_term_and_what_the_message_says() {
        var entry = new LogEntry(2, new LogEntry.Command(ByteString.ofText("b")));
        var append = new RaftMessage.AppendEntries(3, new EntryId(3, 2), List.of(entry), 2, 0);
        assertThat(TraceWording.label(append)).isEqualTo("Append t3 3@2 +2:b commit 2");
        assertThat(TraceWording.label(new RaftMessage.AppendAck(3, 4, 0))).isEqualTo("Ack t3 4");
        assertThat(TraceWording.label(new RaftMessage.VoteGranted(3))).isEqualTo("Vote t3");
        assertThat(TraceWording.label(new RaftMessage.AppendRejected(3, 5, new EntryId(4, 2), 0)))
                .isEqualTo("Reject t3 5, have 4@2");
    }

    @Test
    void a_step_shows_role_term_log_and_commit_index() {
        var lines = recording().events().stream()
                .flatMap(event -> TraceText.of(event).stream())
                .toList();
        assertThat(lines).anyMatch(line -> line.contains("→ Following(n1) term 1 [1:-"));
    }

    @Test
    void heartbeats_that_change_nothing_are_removed_and_nothing_else() {
        var events = recording().events();
        var rest = IdleHeartbeats.remove(events);
        assertThat(rest).hasSizeLessThan(events.size() / 2);
        assertThat(LogSummary.of(rest)).isEqualTo(LogSummary.of(events));
        assertThat(rest).noneMatch(RaftTraceTest::isHeartbeat);
        assertThat(rest)
                .filteredOn(TraceEvent.Observed.class::isInstance)
                .hasSameSizeAs(events.stream()
                        .filter(TraceEvent.Observed.class::isInstance)
                        .toList());
    }

    private static boolean isHeartbeat(TraceEvent event) {
        return event instanceof TraceEvent.Step step
                && step.event() instanceof Event.Timeout<?>(var timer)
                && timer == RaftState.Timer.HEARTBEAT;
    }

    @Test
    void pictures_show_leaders_and_logs() {
        var recording = recording();
        assertThat(RunSvg.draw(recording)).contains("LEADERS AND FOLLOWERS").contains("leads, term 1");
        assertThat(LogSvg.draw(recording))
                .contains("three nodes: logs at the end")
                .contains("commit index")
                .contains("leader, term 1");
    }
}
