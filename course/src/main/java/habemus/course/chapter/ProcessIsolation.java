package habemus.course.chapter;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** A process has a memory of its own; the threads of a process share it. */
final class ProcessIsolation implements Demonstration {

    private static final int STARTED_THREADS = 21;

    /** Every process that loads this class has its own copy. */
    private static int counter;

    /** The child process: it increments the counter, and prints its process id and the counter. */
    public static void main(String[] args) {
        counter++;
        System.out.println(ProcessHandle.current().pid());
        System.out.println(counter);
    }

    @Override
    public String name() {
        return "processes";
    }

    @Override
    public String claim() {
        return "A process has its own memory; the threads of a process share it.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        counter = 41;
        var child = ChildJvm.run(ProcessIsolation.class);
        int afterProcess = counter;
        long pid = ProcessHandle.current().pid();
        var childPid = child.lines().getFirst();
        var childCounter = child.lines().getLast();

        var pidInThread = new AtomicLong();
        var thread = Thread.ofPlatform().start(() -> {
            counter++;
            pidInThread.set(ProcessHandle.current().pid());
        });
        thread.join();

        var threadStart = medianThreadStart();
        return List.of(
                Observation.of(
                        "a child process has a process id of its own",
                        "parent " + pid + ", child " + childPid,
                        !childPid.equals(Long.toString(pid))),
                Observation.of(
                        "a child process increments its own copy of a static field",
                        "parent set 41; child counted to " + childCounter + "; parent still reads " + afterProcess,
                        childCounter.equals("1") && afterProcess == 41),
                Observation.of(
                        "a thread increments the field of its process",
                        "process " + pidInThread + " set 41; after the thread it reads " + counter,
                        counter == 42 && pidInThread.get() == pid),
                Observation.of(
                        "a thread starts faster than a JVM",
                        "thread " + threadStart.toNanos() / 1000 + " µs, process "
                                + child.duration().toMillis() + " ms",
                        threadStart.compareTo(child.duration()) < 0));
    }

    /** The median time in which a thread starts and ends. */
    private static Duration medianThreadStart() throws InterruptedException {
        var nanos = new long[STARTED_THREADS];
        for (int i : IntStream.range(0, STARTED_THREADS).toArray()) {
            long start = System.nanoTime();
            Thread.ofPlatform().start(() -> {}).join();
            nanos[i] = System.nanoTime() - start;
        }
        return Duration.ofNanos(IntStream.range(0, STARTED_THREADS)
                .mapToLong(i -> nanos[i])
                .sorted()
                .toArray()[STARTED_THREADS / 2]);
    }
}
