package habemus.course.chapter;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A thread is created, started and joined; join waits for its end and sees all that it wrote. */
final class ThreadLifecycle implements Demonstration {

    private int result;

    @Override
    public String name() {
        return "join";
    }

    @Override
    public String claim() {
        return "A thread runs beside its creator; join waits for its end and sees its writes.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        var rows = new ArrayList<Observation>();
        rows.addAll(join(Thread.ofPlatform(), "platform"));
        rows.addAll(join(Thread.ofVirtual(), "virtual"));
        rows.add(startTwice());
        rows.add(uncaught());
        rows.add(interrupt());
        return rows;
    }

    private List<Observation> join(Thread.Builder builder, String kind) throws InterruptedException {
        result = 0;
        var mayEnd = new CountDownLatch(1);
        var thread = builder.unstarted(() -> {
            Latches.await(mayEnd);
            result = 42;
        });
        var created = thread.getState();
        thread.start();
        var waiting = BoundedWait.forState(thread, Thread.State.WAITING);
        int early = result;
        mayEnd.countDown();
        thread.join();
        return List.of(
                Observation.of(
                        "start returns at once; the " + kind + " thread runs beside its creator",
                        created + ", then " + waiting + "; its creator reads " + early,
                        created == Thread.State.NEW && waiting == Thread.State.WAITING && early == 0),
                Observation.of(
                        "join waits for the end of the " + kind + " thread, and sees its writes",
                        thread.getState() + "; its creator reads " + result,
                        thread.getState() == Thread.State.TERMINATED && result == 42));
    }

    private static Observation startTwice() throws InterruptedException {
        var thread = Thread.ofPlatform().start(() -> {});
        thread.join();
        try {
            thread.start();
            return Observation.of("a thread starts once", "it started twice", false);
        } catch (IllegalThreadStateException refused) {
            return Observation.of("a thread starts once", refused.getClass().getSimpleName(), true);
        }
    }

    private static Observation uncaught() throws InterruptedException {
        var caught = new AtomicReference<>("nothing");
        var thread = Thread.ofPlatform()
                .uncaughtExceptionHandler((failed, e) -> caught.set(String.valueOf(e.getMessage())))
                .start(() -> {
                    throw new IllegalStateException("disk full");
                });
        thread.join();
        return Observation.of(
                "an exception ends its thread only: join returns, and the handler of the thread gets it",
                "handler got '" + caught + "'",
                caught.get().equals("disk full"));
    }

    private static Observation interrupt() throws InterruptedException {
        var ended = new AtomicReference<>("by itself");
        var thread = Thread.ofPlatform().start(() -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException stop) {
                ended.set(stop.getClass().getSimpleName());
            }
        });
        thread.interrupt();
        thread.join();
        return Observation.of(
                "an interrupt ends a wait; the thread decides what to do",
                "waiting ended by " + ended,
                ended.get().equals("InterruptedException"));
    }
}
