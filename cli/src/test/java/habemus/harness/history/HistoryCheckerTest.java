package habemus.harness.history;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.harness.history.GuardedResource.Write;
import habemus.harness.history.HistoryChecker.Rule;
import habemus.harness.history.HistoryChecker.Violation;
import habemus.harness.history.HistoryEvent.Kind;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Small histories, and what is wrong with them. Times are in milliseconds. */
class HistoryCheckerTest {

    private final List<HistoryEvent> history = new ArrayList<>();
    private final List<Write> writes = new ArrayList<>();

    private HistoryCheckerTest at(long ms, String client, Kind kind, long claim, long fence) {
        var names = kind == Kind.ELECTED || kind == Kind.DEPOSED ? List.of("leader") : List.of("x");
        history.add(new HistoryEvent(ms * 1_000_000, client, kind, claim, false, names, fence, ""));
        return this;
    }

    /** The last of them. */
    private HistoryCheckerTest saying(String more) {
        var last = history.removeLast();
        history.add(new HistoryEvent(
                last.atNanos(),
                last.client(),
                last.kind(),
                last.request(),
                last.isShared(),
                last.names(),
                last.fence(),
                more));
        return this;
    }

    private HistoryCheckerTest sharing(long ms, String client, Kind kind, long claim, long fence) {
        history.add(new HistoryEvent(ms * 1_000_000, client, kind, claim, true, List.of("x"), fence, ""));
        return this;
    }

    private List<Rule> violated() {
        return HistoryChecker.check(history, writes).violations().stream()
                .map(Violation::rule)
                .distinct()
                .toList();
    }

    @Test
    void one_after_the_other_is_fine() {
        at(1, "a", Kind.REQUESTED, 1, 0).at(2, "a", Kind.GRANTED, 1, 5).at(9, "a", Kind.VALID, 1, 5);
        at(10, "a", Kind.RELEASING, 1, 5).at(12, "a", Kind.RELEASED, 1, 5);
        at(3, "b", Kind.REQUESTED, 1, 0)
                .at(11, "b", Kind.GRANTED, 1, 7)
                .at(20, "b", Kind.LOST, 1, 7)
                .saying("Overdue");
        at(4, "c", Kind.REQUESTED, 1, 0).at(21, "c", Kind.GRANTED, 1, 9).at(22, "c", Kind.RELEASING, 1, 9);
        writes.add(new Write("x", 5, "a", true));
        writes.add(new Write("x", 7, "b", true));
        writes.add(new Write("x", 5, "a", false));
        assertThat(violated()).isEmpty();
    }

    @Test
    void the_order_of_files_does_not_matter() {
        at(11, "b", Kind.GRANTED, 1, 7).at(12, "b", Kind.RELEASING, 1, 7);
        at(2, "a", Kind.GRANTED, 1, 5).at(10, "a", Kind.RELEASING, 1, 5);
        assertThat(violated()).isEmpty();
    }

    @Test
    void a_write_of_an_old_fence_is_not_taken() {
        writes.add(new Write("x", 7, "b", true));
        writes.add(new Write("x", 5, "a", true));
        assertThat(violated()).containsExactly(Rule.NO_DOUBLE_WRITE);
    }

    @Test
    void two_clients_do_not_write_by_one_fence() {
        writes.add(new Write("x", 7, "a", true));
        writes.add(new Write("x", 7, "a", true));
        assertThat(violated()).isEmpty();
        writes.add(new Write("x", 7, "b", true));
        assertThat(violated()).containsExactly(Rule.NO_DOUBLE_WRITE);
    }

    @Test
    void a_fence_belongs_to_one_claim() {
        at(1, "a", Kind.GRANTED, 1, 5).at(2, "a", Kind.RELEASING, 1, 5);
        at(3, "b", Kind.GRANTED, 1, 5).at(4, "b", Kind.RELEASING, 1, 5);
        assertThat(violated()).containsExactly(Rule.NO_DOUBLE_GRANT);
    }

    @Test
    void those_who_share_may_be_inside_together_by_one_fence() {
        sharing(1, "a", Kind.GRANTED, 1, 5).sharing(9, "a", Kind.RELEASING, 1, 5);
        sharing(2, "b", Kind.GRANTED, 1, 5).sharing(8, "b", Kind.RELEASING, 1, 5);
        assertThat(violated()).isEmpty();
    }

    @Test
    void who_shares_is_not_inside_with_one_who_is_alone() {
        sharing(1, "a", Kind.GRANTED, 1, 5).sharing(9, "a", Kind.RELEASING, 1, 5);
        at(2, "b", Kind.GRANTED, 1, 6).at(3, "b", Kind.RELEASING, 1, 6);
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    /** The log went back, and numbers commands as if the first had never been. */
    @Test
    void a_grant_that_was_forgotten_shows_in_a_smaller_fence() {
        at(1, "a", Kind.REQUESTED, 1, 0).at(2, "a", Kind.GRANTED, 1, 8).at(3, "a", Kind.RELEASING, 1, 8);
        at(4, "b", Kind.REQUESTED, 1, 0).at(5, "b", Kind.GRANTED, 1, 7).at(6, "b", Kind.RELEASING, 1, 7);
        assertThat(violated()).containsExactly(Rule.FENCES_GROW_WITH_TIME);
    }

    @Test
    void who_asked_before_may_have_a_smaller_fence_though_it_hears_of_it_later() {
        at(1, "a", Kind.REQUESTED, 1, 0).at(2, "a", Kind.GRANTED, 1, 8).at(3, "a", Kind.RELEASING, 1, 8);
        at(1, "b", Kind.REQUESTED, 1, 0).at(5, "b", Kind.GRANTED, 1, 7).at(6, "b", Kind.RELEASING, 1, 7);
        assertThat(violated()).isEmpty();
    }

    @Test
    void who_was_not_told_in_time_is_seen() {
        at(1, "a", Kind.GRANTED, 1, 5).at(9, "a", Kind.LOST, 1, 5).saying("Overdue");
        at(8, "b", Kind.GRANTED, 1, 6).at(10, "b", Kind.RELEASING, 1, 6);
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    @Test
    void who_stood_still_when_the_other_came_in_is_told_as_soon_as_it_can_be() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5_010, "a", Kind.LOST, 1, 5).saying("Overdue");
        at(3_000, "b", Kind.GRANTED, 1, 6).at(3_001, "b", Kind.RELEASING, 1, 6);
        at(5_000, "a", Kind.STALLED, 0, 0).saying("4000000000");
        assertThat(violated()).isEmpty();
        assertThat(HistoryChecker.check(history, writes).lateNotifications()).isEqualTo(1);
    }

    @Test
    void who_stood_still_long_before_has_no_excuse() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5_010, "a", Kind.LOST, 1, 5).saying("Overdue");
        at(5_000, "b", Kind.GRANTED, 1, 6).at(5_001, "b", Kind.RELEASING, 1, 6);
        at(3_000, "a", Kind.STALLED, 0, 0).saying("2000000000");
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    /** It looks at the clock, so there is no excuse. */
    @Test
    void nobody_finds_valid_what_another_has_though_it_stood_still() {
        at(1, "a", Kind.GRANTED, 1, 5)
                .at(5_001, "a", Kind.VALID, 1, 5)
                .at(5_010, "a", Kind.LOST, 1, 5)
                .saying("Overdue");
        at(3_000, "b", Kind.GRANTED, 1, 6).at(3_001, "b", Kind.RELEASING, 1, 6);
        at(5_000, "a", Kind.STALLED, 0, 0).saying("4000000000");
        assertThat(violated()).containsExactly(Rule.NEVER_VALID_TWICE);
    }

    @Test
    void who_was_killed_held_it_until_the_last_it_wrote() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5, "a", Kind.VALID, 1, 5);
        at(6, "b", Kind.GRANTED, 1, 6).at(7, "b", Kind.RELEASING, 1, 6);
        assertThat(violated()).isEmpty();
        at(8, "a", Kind.REQUESTED, 2, 0);
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    @Test
    void no_session_is_forgotten_by_the_service() {
        at(1, "a", Kind.GRANTED, 1, 5).at(5, "a", Kind.LOST, 1, 5).saying("Ended");
        assertThat(violated()).containsExactly(Rule.RENEWED_SESSION_KNOWN);
    }

    @Test
    void elected_and_deposed_come_in_turn() {
        at(1, "a", Kind.ELECTED, 1, 5).at(2, "a", Kind.DEPOSED, 1, 5).saying("Resigned");
        at(3, "b", Kind.ELECTED, 1, 6).at(4, "b", Kind.DEPOSED, 1, 6).saying("Overdue");
        assertThat(violated()).isEmpty();
        at(5, "b", Kind.DEPOSED, 1, 6).saying("Overdue");
        assertThat(violated()).containsExactly(Rule.ELECTED_THEN_DEPOSED);
    }

    @Test
    void who_leads_is_not_elected_again() {
        at(1, "a", Kind.ELECTED, 1, 5).at(2, "a", Kind.ELECTED, 2, 7);
        assertThat(violated()).contains(Rule.ELECTED_THEN_DEPOSED);
    }

    @Test
    void two_do_not_lead_at_a_time() {
        at(1, "a", Kind.ELECTED, 1, 5).at(4, "a", Kind.DEPOSED, 1, 5).saying("Resigned");
        at(3, "b", Kind.ELECTED, 1, 6).at(6, "b", Kind.DEPOSED, 1, 6).saying("Resigned");
        assertThat(violated()).containsExactly(Rule.NOTIFIED_BEFORE_REGRANT);
    }

    @Test
    void a_moment_is_read_as_it_was_written() {
        var historyEvent = new HistoryEvent(5, "c1-1", Kind.GRANTED, 3, true, List.of("one", "two"), 9, "Overdue");
        assertThat(HistoryEvent.parse(historyEvent.line())).isEqualTo(historyEvent);
        var other = new HistoryEvent(5, "c1-1", Kind.STALLED, 0, false, List.of(), 0, "70000000");
        assertThat(HistoryEvent.parse(other.line())).isEqualTo(other);
    }
}
