package example;

import habemus.client.Candidate;
import habemus.client.EmbeddedNode;
import habemus.client.Habemus;
import habemus.client.LossReason;
import java.util.concurrent.CountDownLatch;

/** One of the replicas schedules; when it resigns or is lost, the next one does. */
final class Scheduler implements Candidate {

    private final String name;
    private final CountDownLatch worked = new CountDownLatch(1);

    Scheduler(String name) {
        this.name = name;
    }

    /** Whoever is commanded should refuse a smaller term than the largest it has seen. */
    @Override
    public void onElected(long term) {
        System.out.println(name + " schedules in term " + term);
        worked.countDown();
    }

    @Override
    public void onDeposed(long term, LossReason reason) {
        System.out.println(name + " stops: " + reason);
    }

    public static void main(String[] words) throws Exception {
        try (Habemus habemus = Habemus.embedded(EmbeddedNode.alone())) {
            var first = new Scheduler("first");
            var second = new Scheduler("second");
            var leading = habemus.election("scheduler");
            var standing = habemus.election("scheduler");
            try (var observer = habemus.election("scheduler")
                    .observe(leader -> System.out.println(leader.map(known -> "term " + known.term() + " has begun")
                            .orElse("nobody leads")))) {
                leading.campaign(first);
                first.worked.await();
                standing.campaign(second);
                leading.resign();
                second.worked.await();
                standing.resign();
            }
        }
    }
}
