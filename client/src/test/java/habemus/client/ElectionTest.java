package habemus.client;

import static habemus.client.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.Command;
import habemus.lockservice.ResourceName;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Elections, from the view of candidates and observers. */
@Timeout(30)
class ElectionTest {

    private static final ResourceName SCHEDULER = ResourceName.election("scheduler");

    private final FakeService service = new FakeService(3);
    private Habemus client;
    private Habemus two;

    /** Records its calls, and checks that they alternate. */
    private static final class RecordingCandidate implements Candidate {
        private final List<String> notified = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> terms = Collections.synchronizedList(new ArrayList<>());
        private volatile boolean leading;

        @Override
        public void onElected(long term) {
            assertThat(leading).isFalse();
            leading = true;
            terms.add(term);
            notified.add("elected");
        }

        @Override
        public void onDeposed(long term, LossReason reason) {
            assertThat(leading).isTrue();
            assertThat(terms.getLast()).isEqualTo(term);
            leading = false;
            notified.add(reason.getClass().getSimpleName());
        }

        @Override
        public void onRejected(RequestRejectedException why) {
            notified.add(why.code());
        }
    }

    @BeforeEach
    void connect() {
        client = Habemus.connect(ClientOptions.to(service.endpoints()).withName("one"));
        two = Habemus.connect(ClientOptions.to(service.endpoints()).withName("two"));
    }

    @AfterEach
    void close() {
        client.close();
        two.close();
        service.close();
    }

    private void untilWaiting(int count) {
        until(() -> service.table().resources().get(SCHEDULER).stream()
                .anyMatch(l -> l.queue().size() == count));
    }

    @Test
    void a_candidate_leads_until_it_resigns() throws InterruptedException {
        var first = new RecordingCandidate();
        var second = new RecordingCandidate();
        var election = client.election("scheduler");
        election.campaign(first);
        until(() -> first.leading);
        two.election("scheduler").campaign(second);
        untilWaiting(1);
        assertThat(election.isLeader()).isTrue();
        assertThat(second.notified).isEmpty();
        election.resign();
        assertThat(first.notified).containsExactly("elected", "Resigned");
        assertThat(election.isLeader()).isFalse();
        until(() -> second.leading);
        assertThat(second.terms.getFirst()).isGreaterThan(first.terms.getFirst());
        election.campaign(first);
        untilWaiting(1);
        election.resign();
        untilWaiting(0);
    }

    @Test
    void a_candidate_of_higher_rank_is_next_but_does_not_replace_the_leader() throws InterruptedException {
        var leader = client.election("scheduler");
        var low = new RecordingCandidate();
        var high = new RecordingCandidate();
        leader.campaign(new RecordingCandidate());
        until(leader::isLeader);
        two.election("scheduler").campaign(1, low);
        untilWaiting(1);
        two.election("scheduler").campaign(2, high);
        untilWaiting(2);
        assertThat(leader.isLeader()).isTrue();
        leader.resign();
        until(() -> high.leading);
        assertThat(low.notified).isEmpty();
    }

    @Test
    void leadership_is_transferred_to_a_candidate_by_name() throws InterruptedException {
        var first = new RecordingCandidate();
        var second = new RecordingCandidate();
        var election = client.election("scheduler");
        election.campaign(first);
        until(() -> first.leading);
        assertThatThrownBy(() -> election.transferTo("two")).isInstanceOf(RequestRejectedException.class);
        assertThat(first.leading).isTrue();
        two.election("scheduler").campaign(second);
        untilWaiting(1);
        election.transferTo("two");
        until(() -> second.leading && first.notified.equals(List.of("elected", "Transferred")));
        untilWaiting(1);
        assertThatThrownBy(() -> election.transferTo("two")).isInstanceOf(LockLostException.class);
    }

    @Test
    void a_leader_that_loses_its_session_is_deposed_and_campaigns_again() {
        var recordingCandidate = new RecordingCandidate();
        client.election("scheduler").campaign(recordingCandidate);
        until(() -> recordingCandidate.leading);
        for (int i = 1; i <= 3; i++) {
            long session =
                    service.table().holders(SCHEDULER).getFirst().request().session();
            service.commit(new Command.AdminCommand(new Command.AdminAction.Expire(session), "eve", "host:1", "test"));
            int times = i;
            until(() -> recordingCandidate.terms.size() == times + 1);
        }
        assertThat(recordingCandidate.notified)
                .containsExactly("elected", "Revoked", "elected", "Revoked", "elected", "Revoked", "elected");
        assertThat(recordingCandidate.terms).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_leader_is_interrupted_when_it_is_deposed() throws InterruptedException {
        var working = new CountDownLatch(1);
        var notified = Collections.synchronizedList(new ArrayList<String>());
        client.election("scheduler").campaign(new Candidate() {
            @Override
            public void onElected(long term) {
                working.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    notified.add("interrupted");
                }
            }

            @Override
            public void onDeposed(long term, LossReason reason) {
                notified.add("deposed");
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }
        });
        working.await();
        service.revoke(SCHEDULER, "test");
        until(() -> notified.size() == 2);
        assertThat(notified).containsExactly("interrupted", "deposed");
    }

    @Test
    void a_closed_client_is_deposed_before_it_releases_leadership() {
        var inTime = Collections.synchronizedList(new ArrayList<Boolean>());
        var election = client.election("scheduler");
        election.campaign(new Candidate() {
            @Override
            public void onElected(long term) {}

            @Override
            public void onDeposed(long term, LossReason reason) {
                inTime.add(!service.table().holders(SCHEDULER).isEmpty());
            }
        });
        until(election::isLeader);
        client.close();
        assertThat(inTime).containsExactly(true);
        assertThat(service.table().holders(SCHEDULER)).isEmpty();
    }

    @Test
    void observers_see_the_leader_and_its_changes() throws InterruptedException {
        var seen = Collections.synchronizedList(new ArrayList<Optional<String>>());
        try (var observer = two.election("scheduler")
                .observe(leader -> seen.add(leader.map(known -> known.client().name())))) {
            until(() -> seen.size() == 1);
            var election = client.election("scheduler");
            election.campaign(new RecordingCandidate());
            until(() -> seen.size() == 2);
            service.breakConnections();
            election.resign();
            until(() -> seen.size() == 3);
            assertThat(seen).containsExactly(Optional.empty(), Optional.of("one"), Optional.empty());
            assertThat(observer).isNotNull();
            client.election("other").campaign(new RecordingCandidate());
        }
        var election = client.election("scheduler");
        election.campaign(new RecordingCandidate());
        until(election::isLeader);
        assertThat(seen).hasSize(3);
    }

    @Test
    void a_second_campaign_of_the_same_object_is_rejected() {
        var election = client.election("scheduler");
        election.campaign(new RecordingCandidate());
        assertThatThrownBy(() -> election.campaign(new RecordingCandidate())).isInstanceOf(IllegalStateException.class);
    }
}
