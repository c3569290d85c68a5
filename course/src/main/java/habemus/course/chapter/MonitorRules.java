package habemus.course.chapter;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Every object is a monitor: one thread is inside, and a thread that waits releases it. */
final class MonitorRules implements Demonstration {

    private static final int WAITERS = 3;

    private final Object monitor = new Object();
    private int permits;
    private int wakeUps;

    @Override
    public String name() {
        return "monitors";
    }

    @Override
    public String claim() {
        return "A monitor admits one thread; wait releases it, and notify wakes one waiter.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        return List.of(
                exclusion(),
                reentrance(),
                withoutMonitor(),
                whileSleeping(),
                whileWaiting(),
                wakeUp("notify wakes one waiter", false, 1),
                wakeUp("notifyAll wakes all; the loop around wait sends those without a permit back", true, WAITERS));
    }

    private Observation exclusion() throws InterruptedException {
        Thread second;
        State state;
        synchronized (monitor) {
            second = Thread.ofPlatform().start(this::enter);
            state = BoundedWait.forState(second, State.BLOCKED);
        }
        second.join();
        return Observation.of(
                "a second thread blocks until the first leaves the monitor",
                state + ", then " + second.getState(),
                state == State.BLOCKED);
    }

    private Observation reentrance() {
        synchronized (monitor) {
            synchronized (monitor) {
                return Observation.of(
                        "a thread inside the monitor may enter it again", "entered twice", Thread.holdsLock(monitor));
            }
        }
    }

    private Observation withoutMonitor() {
        try {
            monitor.notifyAll();
            return Observation.of("wait and notify need the monitor", "accepted without it", false);
        } catch (IllegalMonitorStateException refused) {
            return Observation.of(
                    "wait and notify need the monitor", refused.getClass().getSimpleName(), true);
        }
    }

    private Observation whileSleeping() throws InterruptedException {
        var entered = new CountDownLatch(1);
        var sleeper = Thread.ofPlatform().start(() -> {
            synchronized (monitor) {
                entered.countDown();
                sleep();
            }
        });
        entered.await();
        var second = Thread.ofPlatform().start(this::enter);
        var state = BoundedWait.forState(second, State.BLOCKED, State.TERMINATED);
        sleeper.interrupt();
        sleeper.join();
        second.join();
        return Observation.of("sleep keeps the monitor", "the next thread is " + state, state == State.BLOCKED);
    }

    private Observation whileWaiting() throws InterruptedException {
        var waiter = Thread.ofPlatform().start(this::takePermit);
        BoundedWait.forState(waiter, State.WAITING);
        var second = Thread.ofPlatform().start(this::enter);
        var state = BoundedWait.forState(second, State.TERMINATED);
        waiter.interrupt();
        waiter.join();
        return Observation.of(
                "wait releases the monitor", "the next thread enters and is " + state, state == State.TERMINATED);
    }

    /** One permit, several waiters: how many of them wake up. */
    private Observation wakeUp(String claim, boolean all, int expected) throws InterruptedException {
        var waiters = new ArrayList<Thread>();
        for (int i = 0; i < WAITERS; i++) {
            var waiter = Thread.ofPlatform().start(this::takePermit);
            BoundedWait.forState(waiter, State.WAITING);
            waiters.add(waiter);
        }
        synchronized (monitor) {
            wakeUps = 0;
            permits = 1;
            if (all) {
                monitor.notifyAll();
            } else {
                monitor.notify();
            }
        }
        BoundedWait.until(() -> hasSettled(expected));
        int passed = 0;
        for (var waiter : waiters) {
            passed += BoundedWait.forState(waiter, State.WAITING, State.TERMINATED) == State.TERMINATED ? 1 : 0;
        }
        int woken;
        synchronized (monitor) {
            woken = wakeUps;
        }
        for (var waiter : waiters) {
            waiter.interrupt();
            waiter.join();
        }
        return Observation.of(
                claim,
                WAITERS + " waiters, 1 permit: " + woken + " woken, " + passed + " passed",
                woken == expected && passed == 1);
    }

    private boolean hasSettled(int expectedWakeUps) {
        synchronized (monitor) {
            return permits == 0 && wakeUps >= expectedWakeUps;
        }
    }

    private void takePermit() {
        synchronized (monitor) {
            try {
                while (permits == 0) {
                    monitor.wait();
                    wakeUps++;
                }
                permits--;
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void enter() {
        synchronized (monitor) {
            wakeUps++;
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(Duration.ofMinutes(1));
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
