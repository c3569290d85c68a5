package habemus.stress;

import habemus.course.exercise.AccountPair;
import habemus.course.exercise.CounterTask;
import habemus.course.exercise.RelayMessage;
import habemus.course.exercise.RelayTask;
import habemus.course.exercise.UpDownCounter;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a student's class that Lincheck calls from its threads. Lincheck creates the objects without
 * arguments, so the student's class is a static field.
 */
final class ExerciseOperations {

    private static final int MAX_LISTED = 12;

    @SuppressWarnings("NonFinalStaticField")
    private static @Nullable Class<?> studentClass;

    private ExerciseOperations() {}

    static void use(Class<?> type) {
        studentClass = type;
    }

    static <T> T create(Class<T> task) {
        try {
            if (studentClass == null) {
                throw new IllegalStateException("no class");
            }
            var constructor = studentClass.getDeclaredConstructor();
            constructor.setAccessible(true);
            return task.cast(constructor.newInstance());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible); // the class was instantiated before
        }
    }

    /** Increments, and reads the value. */
    public static class Count {
        private final CounterTask counter = create(CounterTask.class);

        @Operation
        public void increment() {
            counter.increment();
        }

        @Operation
        public int value() {
            return counter.value();
        }
    }

    /** Increments only. */
    public static class Up {
        final UpDownCounter counter = create(UpDownCounter.class);

        @Operation
        public int increment() {
            return counter.increment();
        }
    }

    /** Increments and decrements. */
    public static class UpAndDown extends Up {
        @Operation
        public int decrement() {
            return counter.decrement();
        }
    }

    /** Increments, decrements, and reads the value. */
    public static class UpDownAndRead extends UpAndDown {
        @Operation
        public int value() {
            return counter.value();
        }
    }

    /** Transfers in one direction. */
    public static class OneWay {
        final AccountPair accounts = create(AccountPair.class);

        @Operation
        public void firstToSecond() {
            accounts.firstToSecond(30);
        }
    }

    /** Transfers in both directions. */
    public static class BothWays extends OneWay {
        @Operation
        public void secondToFirst() {
            accounts.secondToFirst(20);
        }
    }

    /** Transfers, and reads both balances. */
    public static class TransferAndRead extends OneWay {
        @Operation
        public AccountPair.Balances balances() {
            return accounts.balances();
        }
    }

    /** A relay: Lincheck explores the whole program, because its threads wait for each other. */
    static final class Relay {

        /** Lincheck switches threads at objects that a static field reaches, not at those that a lambda captures. */
        @SuppressWarnings("NonFinalStaticField")
        private static @Nullable RelayTask task;

        private final List<RelayTask> unused = new ArrayList<>();

        /** Creates the objects before the exploration: Lincheck takes reflection for code that is not deterministic. */
        Relay(int programs) {
            for (int i = 0; i < programs; i++) {
                unused.add(create(RelayTask.class));
            }
        }

        void run(int threads, String text) {
            var message = new RelayMessage(text);
            var relay = unused.removeLast();
            relay.begin(message, threads);
            task = relay;
            var ring = new Thread[threads];
            for (int i = 0; i < threads; i++) {
                int thread = i;
                ring[i] = new Thread(() -> live(thread));
            }
            for (Thread thread : ring) {
                thread.start();
            }
            for (Thread thread : ring) {
                join(thread);
            }
            requireRelayed(message, threads, text);
        }

        private static void live(int thread) {
            try {
                if (task != null) {
                    task.run(thread);
                }
            } catch (InterruptedException stop) {
                throw new IllegalStateException("interrupted", stop);
            }
        }
    }

    static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stop) {
            throw new IllegalStateException("interrupted", stop);
        }
    }

    /** Plain loops: Lincheck takes a stream of the main thread for a thread that hangs. */
    static void requireRelayed(RelayMessage message, int threads, String text) {
        var turns = message.turns();
        boolean isRelayed = message.isDone() && turns.size() == text.length();
        for (int i = 0; isRelayed && i < text.length(); i++) {
            isRelayed =
                    turns.get(i) == i % threads && message.text().charAt(i) == Character.toUpperCase(text.charAt(i));
        }
        if (!isRelayed) {
            throw new AssertionError("'" + message.text() + "' was turned by the threads "
                    + (turns.size() > MAX_LISTED ? turns.subList(0, MAX_LISTED) + " …" : turns));
        }
    }
}
