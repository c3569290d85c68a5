package habemus.course.chapter;

import java.util.List;

/** The demonstrations, in the order of the chapter. */
public final class Demonstrations {

    public static final List<Demonstration> ALL = List.of(
            new ProcessIsolation(),
            new ThreadLifecycle(),
            new DaemonThreads(),
            new ExecutorPools(),
            new FutureComposition(),
            new ForkJoinSum(),
            new ScheduledTasks(),
            new BlockingInput(),
            new CpuAffinity(),
            new MonitorRules(),
            new LockRules(),
            new SharedStructures(),
            new CompareAndSetRetries(),
            new ThreadLocalValues());

    private Demonstrations() {}
}
