package habemus.course.exercise;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.lab.language.Language;
import habemus.lab.source.SourceFile;
import habemus.world.KebabCase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The exercises. The texts and the files to fill in are resources, one folder an exercise. */
public enum Exercise {
    SHARED_COUNTER("SharedCounter", Kind.THREADS),
    SYNCHRONIZED_COUNTER("SynchronizedCounter", Kind.THREADS),
    TWO_LOCKS("TwoAccounts", Kind.THREADS),
    THREAD_RELAY("ThreadRelay", Kind.THREADS),
    WORST_RING("WorstRing", Kind.DISTRIBUTED),
    LEARN_LEADER("LearnLeader", Kind.DISTRIBUTED),
    TWO_INITIATORS("TwoInitiators", Kind.DISTRIBUTED),
    BETTER_BULLY("BetterBully", Kind.DISTRIBUTED),
    TWO_LISTS("TwoLists", Kind.DISTRIBUTED),
    ANONYMOUS_RING("AnonymousElection", Kind.DISTRIBUTED);

    /** Whether a file has real threads, or is an algorithm of nodes that send messages. */
    public enum Kind {
        THREADS,
        DISTRIBUTED
    }

    private static final Duration LIMIT = Duration.ofMinutes(4);

    private final String className;
    private final Kind kind;

    Exercise(String className, Kind kind) {
        this.className = className;
        this.kind = kind;
    }

    public static Optional<Exercise> find(String name) {
        return Arrays.stream(values())
                .filter(exercise -> exercise.toString().equals(name))
                .findFirst();
    }

    public Kind kind() {
        return kind;
    }

    /** The class that the student writes, and the name of its file. */
    public String className() {
        return className;
    }

    /** The Java file to fill in. It compiles, and its mark is not the best. */
    public String template() {
        return resource(className + SourceFile.SUFFIX);
    }

    public ExerciseText text(Language language) {
        return ExerciseText.parse(resource("text." + language.code() + ".md"));
    }

    Criterion criterion(String criterion, Language language) {
        return text(language).criteria().stream()
                .filter(each -> each.name().equals(criterion))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(this + " has no criterion " + criterion));
    }

    /**
     * @param laboratory where real threads run
     * @throws habemus.lab.source.InvalidSourceException if the file cannot be used
     */
    public ExerciseMark check(SourceFile file, ThreadLaboratory laboratory) {
        var check = new FutureTask<>(() -> check().check(file, laboratory));
        Thread.ofPlatform().daemon().name("exercise").start(check);
        try {
            return new ExerciseMark(this, check.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
        } catch (TimeoutException endless) {
            throw StudentClass.invalid(
                    file.name() + " did not end within " + LIMIT.toSeconds() + " s", "look for a loop without an end");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stop);
        } catch (ExecutionException thrown) {
            throw failure(file, thrown.getCause());
        }
    }

    /** Errors of the command pass; an exception of the student's class is named with its line. */
    private static RuntimeException failure(SourceFile file, @Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        var frames = cause == null ? new StackTraceElement[0] : cause.getStackTrace();
        if (frames.length > 0 && file.path().endsWith(String.valueOf(frames[0].getFileName()))) {
            return StudentClass.invalid(
                    file.name() + ":" + frames[0].getLineNumber() + ": " + cause, "correct the line, and check again");
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }

    private ExerciseCheck check() {
        return switch (this) {
            case SHARED_COUNTER -> new ThreadExerciseCheck(CounterTask.class);
            case SYNCHRONIZED_COUNTER -> new ThreadExerciseCheck(UpDownCounter.class);
            case TWO_LOCKS -> new ThreadExerciseCheck(AccountPair.class);
            case THREAD_RELAY -> new ThreadExerciseCheck(RelayTask.class);
            case WORST_RING -> new WorstRingCheck();
            case LEARN_LEADER -> new LearnLeaderCheck();
            case TWO_INITIATORS -> new TwoInitiatorsCheck();
            case BETTER_BULLY -> new BetterBullyCheck();
            case TWO_LISTS -> new TwoListsCheck();
            case ANONYMOUS_RING -> new AnonymousRingCheck();
        };
    }

    private String resource(String file) {
        var name = "/exercises/" + this + "/" + file;
        try (var stream = Exercise.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("missing resource " + name);
            }
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The name on the command line, such as {@code two-locks}. */
    @Override
    public String toString() {
        return KebabCase.of(this);
    }
}
