package habemus.check.model;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Several threads, which end with the search. */
record WorkerThreads(int count) implements Workers {

    @Override
    public Team start() {
        return new Pool(
                Executors.newFixedThreadPool(count, Thread.ofPlatform().daemon().factory()));
    }

    private record Pool(ExecutorService threads) implements Team {

        @Override
        public void runAll(List<Runnable> tasks) {
            var callables = tasks.stream().map(Executors::callable).toList();
            try {
                for (var result : threads.invokeAll(callables)) {
                    result.get();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for the workers", interrupted);
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof RuntimeException cause
                        ? cause
                        : new IllegalStateException(failed.getCause());
            }
        }

        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
