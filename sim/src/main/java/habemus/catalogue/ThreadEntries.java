package habemus.catalogue;

import static habemus.world.FaultKind.PAUSE;
import static habemus.world.FaultKind.REORDER;
import static habemus.world.FaultKind.SLOWNESS;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.LINEARIZABLE;
import static habemus.world.Property.MUTUAL_EXCLUSION;
import static habemus.world.Property.NO_LOST_UPDATE;
import static habemus.world.Property.NO_LOST_WAKEUP;
import static habemus.world.Property.NO_STARVATION;

import habemus.threads.BusyWaiting;
import habemus.threads.CounterProgram;
import habemus.threads.CountingSemaphore;
import habemus.threads.CyclicBarrier;
import habemus.threads.DiningPhilosophers;
import habemus.threads.LockOrder;
import habemus.threads.LostWakeup;
import habemus.threads.ProducerConsumer;
import habemus.threads.PutIfAbsent;
import habemus.threads.ReadersWriters;
import habemus.threads.Relay;
import habemus.threads.ThreadMachine;
import habemus.threads.TwoLocks;
import habemus.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The catalogue entries of programs whose threads share memory. The first variant of a program is its default. It is
 * broken, except that of the relay.
 */
final class ThreadEntries {

    private static final AlgorithmOption<Integer> THREADS = threads(2);
    private static final AlgorithmOption<Integer> THREE_THREADS = threads(3);
    private static final AlgorithmOption<Integer> THIRTY_THREADS = threads(30);
    private static final AlgorithmOption<Integer> ROUNDS =
            AlgorithmOption.number("rounds", 1, "how often each thread does its work");
    private static final AlgorithmOption<Integer> ENDLESS_ROUNDS =
            AlgorithmOption.number("rounds", 0, "how often each thread does its work; 0: without end");
    private static final AlgorithmOption<Integer> CAPACITY =
            AlgorithmOption.number("capacity", 1, "number of items that the buffer holds");
    private static final AlgorithmOption<Integer> PERMITS =
            AlgorithmOption.number("permits", 1, "number of threads in the section at a time");
    private static final AlgorithmOption<Integer> CHARACTERS =
            AlgorithmOption.number("characters", Relay.TEXT.length(), "length of the message, at most 80");

    /** The pauses of a thread that backs off: a thread that wakes first has both locks before the next one wakes. */
    private static final Duration LONGEST_ACCESS = ThreadMachine.PAUSE_SLOT.dividedBy(12);

    private ThreadEntries() {}

    private static AlgorithmOption<Integer> threads(int defaultValue) {
        return AlgorithmOption.number("threads", defaultValue, "number of threads");
    }

    private static <E extends Enum<E>> AlgorithmOption<E> variant(E defaultValue) {
        return AlgorithmOption.choice("variant", defaultValue, "form of the program");
    }

    static Algorithm sharedCounter() {
        var variant = variant(CounterProgram.Variant.RACE);
        return program(
                AlgorithmBuilder.threads("shared-counter", "Threads increment one counter: read, add, write.")
                        .option(variant)
                        .option(THREADS)
                        .option(ROUNDS),
                p -> new CounterProgram(p.get(variant), atLeast(1, THREADS, p), atLeast(1, ROUNDS, p)),
                p -> p.get(variant) == CounterProgram.Variant.RACE ? EnumSet.of(NO_LOST_UPDATE) : Set.of());
    }

    static Algorithm putIfAbsent() {
        var variant = variant(PutIfAbsent.Variant.CHECK_THEN_ACT);
        return program(
                AlgorithmBuilder.threads("put-if-absent", "Threads set a key of a map unless it is set already.")
                        .option(variant)
                        .option(THREADS),
                p -> new PutIfAbsent(p.get(variant), atLeast(1, THREADS, p)),
                p -> p.get(variant) == PutIfAbsent.Variant.CHECK_THEN_ACT ? EnumSet.of(LINEARIZABLE) : Set.of());
    }

    static Algorithm lostWakeup() {
        var variant = variant(LostWakeup.Variant.CHECK_OUTSIDE);
        return program(
                AlgorithmBuilder.threads("lost-wakeup", "Threads wait until another one notifies them of an item.")
                        .option(variant)
                        .option(THREADS),
                p -> new LostWakeup(p.get(variant), atLeast(2, THREADS, p)),
                p -> switch (p.get(variant)) {
                    case CHECK_OUTSIDE, NO_CHECK ->
                        EnumSet.of(NO_LOST_WAKEUP, DEADLOCK_FREEDOM, NO_STARVATION, LINEARIZABLE);
                    case IF -> EnumSet.of(LINEARIZABLE);
                    case WHILE -> Set.of();
                });
    }

    static Algorithm busyWaiting() {
        var variant = variant(BusyWaiting.Variant.PLAIN);
        return program(
                AlgorithmBuilder.threads("busy-waiting", "Threads wait in a loop until another one sets a flag.")
                        .option(variant)
                        .option(THREADS),
                p -> new BusyWaiting(p.get(variant), atLeast(2, THREADS, p)),
                p -> p.get(variant) == BusyWaiting.Variant.PLAIN
                        ? EnumSet.of(DEADLOCK_FREEDOM, NO_STARVATION)
                        : Set.of());
    }

    static Algorithm lockOrder() {
        var variant = variant(TwoLocks.Cure.NESTED);
        return twoLocks(
                AlgorithmBuilder.threads("lock-order", "Threads transfer between two accounts, each with a lock.")
                        .option(variant)
                        .option(THREADS)
                        .option(ROUNDS),
                p -> new LockOrder(p.get(variant), atLeast(1, THREADS, p), atLeast(1, ROUNDS, p)),
                variant);
    }

    static Algorithm diningPhilosophers() {
        var variant = variant(TwoLocks.Cure.NESTED);
        return twoLocks(
                AlgorithmBuilder.threads("dining-philosophers", "A philosopher eats with the forks on both sides.")
                        .option(variant)
                        .option(THREE_THREADS)
                        .option(ROUNDS),
                p -> new DiningPhilosophers(p.get(variant), atLeast(2, THREE_THREADS, p), atLeast(1, ROUNDS, p)),
                variant);
    }

    /** A random pause ends a livelock only if the threads are not slower than their pauses. */
    private static Algorithm twoLocks(
            AlgorithmBuilder builder,
            Function<AlgorithmParameters, ThreadMachine> factory,
            AlgorithmOption<TwoLocks.Cure> variant) {
        Function<AlgorithmParameters, Set<Property>> broken = p -> switch (p.get(variant)) {
            case NESTED, TRY_LOCK, BACK_OFF -> EnumSet.of(DEADLOCK_FREEDOM, NO_STARVATION);
            case ORDERED, LOCK_ALL -> Set.of();
        };
        return builder.guarantees(p -> {
                    var guarantees = new ArrayList<>(guarantees(factory.apply(p), broken.apply(p)));
                    if (p.get(variant) == TwoLocks.Cure.BACK_OFF) {
                        guarantees.add(Guarantee.of(DEADLOCK_FREEDOM)
                                .assuming(new TimingAssumption.DelayBound(LONGEST_ACCESS)));
                    }
                    return List.copyOf(guarantees);
                })
                .build(factory::apply);
    }

    static Algorithm producerConsumer() {
        var variant = variant(ProducerConsumer.Variant.NOTIFY);
        return program(
                AlgorithmBuilder.threads("producer-consumer", "Threads pass items through a bounded buffer.")
                        .option(variant)
                        .option(THREE_THREADS)
                        .option(ROUNDS)
                        .option(CAPACITY),
                p -> new ProducerConsumer(
                        p.get(variant), atLeast(2, THREE_THREADS, p), atLeast(1, ROUNDS, p), atLeast(1, CAPACITY, p)),
                p -> switch (p.get(variant)) {
                    case NOTIFY -> EnumSet.of(NO_LOST_WAKEUP, DEADLOCK_FREEDOM, NO_STARVATION);
                    case IF -> EnumSet.of(LINEARIZABLE, NO_LOST_WAKEUP, DEADLOCK_FREEDOM, NO_STARVATION);
                    case WHILE -> Set.of();
                });
    }

    static Algorithm readersWriters() {
        var variant = variant(ReadersWriters.Variant.READERS_FIRST);
        return program(
                AlgorithmBuilder.threads("readers-writers", "Threads read together, and one of them writes alone.")
                        .option(variant)
                        .option(THREE_THREADS)
                        .option(ENDLESS_ROUNDS),
                p -> new ReadersWriters(p.get(variant), atLeast(2, THREE_THREADS, p), atLeast(0, ENDLESS_ROUNDS, p)),
                p -> p.get(variant) == ReadersWriters.Variant.READERS_FIRST ? EnumSet.of(NO_STARVATION) : Set.of());
    }

    static Algorithm semaphore() {
        var variant = variant(CountingSemaphore.Variant.CHECK_THEN_ACT);
        return program(
                AlgorithmBuilder.threads("semaphore", "As many threads as there are permits enter a section.")
                        .option(variant)
                        .option(THREADS)
                        .option(ROUNDS)
                        .option(PERMITS),
                p -> new CountingSemaphore(
                        p.get(variant), atLeast(1, THREADS, p), atLeast(1, ROUNDS, p), atLeast(1, PERMITS, p)),
                p -> switch (p.get(variant)) {
                    case CHECK_THEN_ACT, MONITOR_IF ->
                        EnumSet.of(MUTUAL_EXCLUSION, NO_LOST_WAKEUP, DEADLOCK_FREEDOM, NO_STARVATION);
                    case MONITOR_WHILE, SEMAPHORE -> Set.of();
                });
    }

    static Algorithm barrier() {
        var variant = variant(CyclicBarrier.Variant.RESET);
        return program(
                AlgorithmBuilder.threads("barrier", "Threads wait for each other at the end of each round.")
                        .option(variant)
                        .option(THREADS)
                        .option(ROUNDS),
                p -> new CyclicBarrier(p.get(variant), atLeast(1, THREADS, p), atLeast(1, ROUNDS, p)),
                p -> p.get(variant) == CyclicBarrier.Variant.GENERATION
                        ? Set.of()
                        : EnumSet.of(NO_LOST_WAKEUP, DEADLOCK_FREEDOM, NO_STARVATION));
    }

    static Algorithm relay() {
        var variant = variant(Relay.Variant.TURNS);
        return program(
                AlgorithmBuilder.threads("relay", "Threads in a ring turn one letter of a message to upper case each.")
                        .option(variant)
                        .option(THIRTY_THREADS)
                        .option(CHARACTERS),
                p -> new Relay(
                        p.get(variant),
                        atLeast(1, THIRTY_THREADS, p),
                        Math.min(atLeast(1, CHARACTERS, p), Relay.TEXT.length())),
                p -> switch (p.get(variant)) {
                    case TURNS -> Set.of();
                    case NO_TURNS -> EnumSet.of(NO_LOST_UPDATE);
                    case END_WITHOUT_PASSING -> EnumSet.of(DEADLOCK_FREEDOM, NO_STARVATION);
                });
    }

    /** @param broken the properties that the variant does not ensure */
    private static Algorithm program(
            AlgorithmBuilder builder,
            Function<AlgorithmParameters, ThreadMachine> factory,
            Function<AlgorithmParameters, Set<Property>> broken) {
        return builder.guarantees(p -> guarantees(factory.apply(p), broken.apply(p)))
                .build(factory::apply);
    }

    /** All properties of the program but these, however the threads are scheduled. */
    private static List<Guarantee> guarantees(ThreadMachine program, Set<Property> broken) {
        var ensured = Property.of(program).stream()
                .filter(property -> !broken.contains(property))
                .toArray(Property[]::new);
        return ensured.length == 0 ? List.of() : List.of(Guarantee.of(ensured).tolerating(REORDER, PAUSE, SLOWNESS));
    }

    /** @throws IllegalArgumentException if the number is too small */
    private static int atLeast(int least, AlgorithmOption<Integer> option, AlgorithmParameters parameters) {
        int value = parameters.get(option);
        if (value < least) {
            throw new IllegalArgumentException("--" + option.name() + " must be at least " + least + ", was " + value);
        }
        return value;
    }
}
