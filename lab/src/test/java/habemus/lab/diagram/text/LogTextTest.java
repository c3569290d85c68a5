package habemus.lab.diagram.text;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.trace.NodeNames;
import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.simulate.LogSummary.NodeLog;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogTextTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);
    private static final Configuration MEMBERS = new Configuration(NodeSet.of(N1), NodeSet.of(N2));

    private static PersistentLog log(long base, String... entries) {
        var log = PersistentLog.startingAfter(new EntryId(base, base == 0 ? 0 : 1), MEMBERS);
        for (String entry : entries) {
            var content = entry.substring(2).equals("-")
                    ? new LogEntry.NoOp()
                    : new LogEntry.Command(ByteString.ofText(entry.substring(2)));
            log = log.append(List.of(new LogEntry(Long.parseLong(entry.substring(0, 1)), content)));
        }
        return log;
    }

    private static NodeLog node(NodeId node, boolean leads, PersistentLog log, long commitIndex, long syncedIndex) {
        return new NodeLog(node, new LogView(2, leads, log, commitIndex, syncedIndex, ByteString.EMPTY), false);
    }

    @Test
    void shows_terms_commit_index_snapshot_and_entries_that_are_not_synced() {
        var logs = List.of(
                node(N1, true, log(0, "1:-", "1:a", "2:-"), 2, 3),
                node(N2, false, log(2, "2:-"), 2, 2),
                node(N3, false, log(0, "1:-"), 0, 1));
        assertThat(LogText.draw(logs, NodeNames.NONE, false))
                .containsExactly(
                        "                       1     2     3",
                        "n1 term 2 leader     │ 1:- │ 1:a ┃ 2:- │",
                        "n2 term 2 learner    │▒▒▒▒▒▒▒▒▒▒▒┃(2:-)│",
                        "n3 term 2 no member  │ 1:- │",
                        "                     term:entry by index, ┃ commit index, ▒ snapshot, (…) not synced");
    }

    @Test
    void rows_are_aligned_by_the_longest_name() {
        var logs = List.of(node(N1, false, log(0, "1:-"), 1, 1), node(N2, false, log(0, "1:-"), 1, 1));
        var names = NodeNames.of(List.of(N1, N2), List.of("Ana", "Beatriz"));
        assertThat(LogText.draw(logs, names, false))
                .contains("Ana term 2              │ 1:- ┃", "Beatriz term 2 learner  │ 1:- ┃");
    }

    @Test
    void a_node_that_is_down_leads_no_more() {
        var leader = node(N1, true, log(0, "1:-"), 1, 1);
        assertThat(LogText.draw(List.of(new NodeLog(N1, leader.view(), true)), NodeNames.NONE, false)
                        .get(1))
                .isEqualTo("n1 term 2 down  │ 1:- ┃");
    }

    @Test
    void a_long_log_shows_its_last_entries() {
        var entries = IntStream.rangeClosed(1, 50).mapToObj(i -> "1:" + i).toArray(String[]::new);
        var lines = LogText.draw(List.of(node(N1, true, log(0, entries), 50, 50)), NodeNames.NONE, false);
        assertThat(lines.get(1)).endsWith("│ 1:49 │ 1:50 ┃").doesNotContain("1:30");
        assertThat(lines.getLast()).endsWith("entries before 31 not shown");
    }

    @Test
    void each_term_has_its_colour() {
        var lines = LogText.draw(List.of(node(N1, true, log(0, "1:-", "2:-"), 0, 2)), NodeNames.NONE, true);
        assertThat(lines.get(1)).contains("\u001b[33m1:-").contains("\u001b[35m2:-");
    }

    @Test
    void empty_logs_have_no_columns() {
        assertThat(LogText.draw(List.of(node(N1, false, log(0), 0, 0)), NodeNames.NONE, false))
                .hasSize(3);
    }
}
