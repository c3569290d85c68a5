package habemus.course.chapter;

import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A JVM ends with the last of its threads that is no daemon. */
final class DaemonThreads implements Demonstration {

    private static final String OUTLIVED = "the worker ends after main";
    private static final String CLEANED_UP = "the worker cleans up";

    /** The child process: its main thread starts a worker and ends. */
    public static void main(String[] args) throws InterruptedException {
        var main = Thread.currentThread();
        var began = new CountDownLatch(1);
        switch (args[0]) {
            case "platform" -> Thread.ofPlatform().start(() -> endAfter(main, began));
            case "daemon" -> Thread.ofPlatform().daemon().start(() -> waitForEver(began));
            default -> Thread.ofVirtual().start(() -> waitForEver(began));
        }
        began.await();
    }

    private static void endAfter(Thread main, CountDownLatch began) {
        began.countDown();
        try {
            main.join();
            System.out.println(OUTLIVED);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static void waitForEver(CountDownLatch began) {
        try {
            began.countDown();
            new CountDownLatch(1).await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } finally {
            System.out.println(CLEANED_UP);
        }
    }

    @Override
    public String name() {
        return "daemon";
    }

    @Override
    public String claim() {
        return "The JVM waits for its threads, but not for daemons.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        var platform = ChildJvm.run(DaemonThreads.class, "platform");
        var daemon = ChildJvm.run(DaemonThreads.class, "daemon");
        var virtual = ChildJvm.run(DaemonThreads.class, "virtual");
        return List.of(
                Observation.of(
                        "the JVM waits for a platform thread after main has ended",
                        text(platform),
                        platform.lines().equals(List.of(OUTLIVED))),
                Observation.of(
                        "the JVM ends while a daemon waits for ever; its finally block never runs",
                        text(daemon),
                        daemon.code() == 0 && daemon.lines().isEmpty()),
                Observation.of(
                        "every virtual thread is a daemon",
                        text(virtual),
                        virtual.code() == 0 && virtual.lines().isEmpty()));
    }

    private static String text(ChildJvm.Exit exit) {
        var printed = exit.lines().isEmpty() ? "nothing" : "'" + String.join("; ", exit.lines()) + "'";
        return "exit code " + exit.code() + ", printed " + printed;
    }
}
