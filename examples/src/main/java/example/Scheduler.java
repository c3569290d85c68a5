package example;

import habemus.client.Candidate;
import habemus.client.EmbeddedNode;
import habemus.client.Habemus;
import habemus.client.LossReason;
import java.util.concurrent.CountDownLatch;

/** One replica schedules as the leader; when it resigns or loses its lease, the next one does. */
final class Scheduler implements Candidate {

    private final String name;
    private final CountDownLatch worked = new CountDownLatch(1);

    Scheduler(String name) {
        this.name = name;
    }

    /** Receivers of commands should reject a smaller term than the largest they have seen. */
    @Override
    public void onElected(long term) {
        System.out.println(name + " schedules in term " + term);
        worked.countDown();
    }

    @Override
    public void onDeposed(long term, LossReason reason) {
        System.out.println(name + " stops: " + reason);
    }

    public static void main(String[] args) throws Exception {
        try (Habemus habemus = Habemus.embedded(EmbeddedNode.alone())) {
            var first = new Scheduler("first");
            var second = new Scheduler("second");
            var firstElection = habemus.election("scheduler");
            var secondElection = habemus.election("scheduler");
            try (var observer = habemus.election("scheduler")
                    .observe(leader -> System.out.println(leader.map(known -> "leader of term " + known.term())
                            .orElse("no leader")))) {
                firstElection.campaign(first);
                first.worked.await();
                secondElection.campaign(second);
                firstElection.resign();
                second.worked.await();
                secondElection.resign();
            }
        }
    }
}
