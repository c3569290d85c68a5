package habemus.service.raft;

import static habemus.service.raft.RaftNodeFixture.N2;
import static habemus.service.raft.RaftNodeFixture.N3;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import org.jgroups.Address;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.Options;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who of three is sent what when. Its clock stands still until it is told to go on. */
class LogReplicatorTest {

    @TempDir
    private Path folder;

    private RaftNodeFixture node;

    @BeforeEach
    void lead() throws Exception {
        node = new RaftNodeFixture(folder);
        node.leading(1);
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
    }

    private void propose() {
        int next = (int) node.correctedRaft.lastAppended() + 1;
        node.correctedRaft.process(List.of(Proposal.of(new byte[next])));
    }

    /** To be able to make one. */
    private static final class Proposal extends RAFT {
        static Request of(byte[] bytes) {
            var done = new CompletableFuture<byte[]>();
            return new DownRequest(done, bytes, 0, bytes.length, false, Options.DEFAULT_OPTIONS, false);
        }
    }

    private void acknowledge(Address who, long index) {
        node.acknowledge(who, index);
        node.correctedRaft.process(new ArrayList<>());
    }

    /** Which entries, message by message: each is as long as its index says. */
    private List<String> sentTo(Address who) {
        return node.sentTo(who).stream().map(LogReplicatorTest::indices).toList();
    }

    private static String indices(LogEntries entries) {
        var indices = new StringJoiner("-");
        entries.forEach(entry -> indices.add(Integer.toString(entry.length())));
        return indices.toString();
    }

    private Address chosen() {
        return sentTo(N2).isEmpty() ? N3 : N2;
    }

    private Address other() {
        return sentTo(N2).isEmpty() ? N2 : N3;
    }

    private void goOn(int milliseconds) {
        node.nanos.addAndGet(MILLISECONDS.toNanos(milliseconds));
        node.correctedRaft.process(new ArrayList<>());
    }

    @Test
    void an_entry_goes_at_once_to_as_many_as_are_needed_and_a_little_later_to_the_others() {
        propose();
        propose();
        var late = other();
        assertThat(sentTo(late)).isEmpty();
        assertThat(sentTo(chosen())).containsExactly("1", "2");
        goOn(1);
        assertThat(sentTo(late)).isEmpty();
        goOn(1);
        assertThat(sentTo(late)).containsExactly("1-2");
        assertThat(sentTo(late.equals(N2) ? N3 : N2)).containsExactly("1", "2");
    }

    @Test
    void it_goes_there_even_if_nothing_else_happens() {
        var unused = node.correctedRaft.setAsync(new byte[1], 0, 1, null);
        node.correctedRaft.attend();
        ReplicatedLogContract.await(() -> !sentTo(N2).isEmpty() || !sentTo(N3).isEmpty());
        var late = other();
        node.nanos.addAndGet(MILLISECONDS.toNanos(2));
        ReplicatedLogContract.await(() -> sentTo(late).equals(List.of("1")));
    }

    @Test
    void who_has_proposed_something_is_told_at_once() {
        node.correctedRaft.awaits(N2);
        node.correctedRaft.awaits(N3);
        propose();
        assertThat(sentTo(N2)).containsExactly("1");
        assertThat(sentTo(N3)).containsExactly("1");
    }

    @Test
    void who_is_told_at_once_from_now_on_is_sent_first_what_it_lacks() {
        propose();
        propose();
        var late = other();
        node.correctedRaft.awaits(late);
        propose();
        assertThat(sentTo(late)).containsExactly("1-2", "3");
    }

    @Test
    void what_is_on_its_way_to_it_already_is_not_sent_once_more() {
        propose();
        var late = other();
        goOn(2);
        propose();
        node.correctedRaft.awaits(late);
        propose();
        assertThat(sentTo(late)).containsExactly("1", "2", "3");
    }

    @Test
    void who_answers_first_takes_the_place_of_one_who_does_not() {
        propose();
        var silent = chosen();
        var prompt = other();
        acknowledge(prompt, 1);
        propose();
        assertThat(sentTo(silent)).containsExactly("1");
        assertThat(sentTo(prompt)).containsExactly("2");
        acknowledge(silent, 2);
        acknowledge(prompt, 2);
        propose();
        assertThat(sentTo(silent)).as("both have all: no reason to change").containsExactly("1");
    }

    @Test
    void who_was_sent_something_later_is_sent_the_rest_later_still_when_it_has_that() {
        propose();
        var late = other();
        goOn(2);
        propose();
        goOn(2);
        propose();
        goOn(2);
        assertThat(sentTo(late)).as("it has not answered").containsExactly("1");
        acknowledge(late, 1);
        assertThat(sentTo(late)).containsExactly("1");
        goOn(2);
        assertThat(sentTo(late)).containsExactly("1", "2-3");
    }

    @Test
    void who_does_not_answer_is_sent_it_again_after_a_while() {
        propose();
        var late = other();
        goOn(2);
        goOn(99);
        assertThat(sentTo(late)).containsExactly("1");
        goOn(1);
        assertThat(sentTo(late)).containsExactly("1", "1");
    }
}
