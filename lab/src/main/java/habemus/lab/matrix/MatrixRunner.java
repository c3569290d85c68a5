package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.check.model.CheckOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Checks many cells in parallel. Cells with a current result from the same sources are not checked again. */
public final class MatrixRunner {

    private final SourceFingerprint sourceFingerprint = new SourceFingerprint();
    private final Map<String, MatrixRow> rowByCell = new ConcurrentHashMap<>();

    /** Receives results, and may stop the run. */
    public interface Listener extends CheckOptions.ProgressListener {

        /** Called after each cell, never by two threads at once. */
        void onCellDone(MatrixRow row, int done, int all);
    }

    /** Adds earlier results, except outdated ones. */
    public void restore(List<MatrixRow> rows) {
        rows.stream()
                .filter(this::isCurrent)
                .forEach(row -> rowByCell.put(row.cell().toString(), row));
    }

    /** Whether the sources that determine the result are unchanged. */
    public boolean isCurrent(MatrixRow row) {
        return row.fingerprint().equals(sourceFingerprint.of(row.cell()));
    }

    /** The available results, in the order of the cells. */
    public List<MatrixRow> results(List<MatrixCell> cells) {
        return cells.stream()
                .map(cell -> rowByCell.get(cell.toString()))
                .filter(Objects::nonNull)
                .toList();
    }

    public static List<MatrixCell> cells(List<Algorithm> algorithms) {
        return algorithms.stream()
                .filter(algorithm -> MatrixRow.PROBLEMS.contains(algorithm.problem()))
                .flatMap(algorithm -> MatrixCell.allOf(algorithm).stream())
                .toList();
    }

    /** Checks the cells without a result, until all are done or the listener stops the run. */
    public void run(List<MatrixCell> cells, Listener listener) {
        var todo = cells.stream()
                .filter(cell -> !rowByCell.containsKey(cell.toString()))
                .toList();
        var done = new AtomicInteger(cells.size() - todo.size());
        try (ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            var results = new ArrayList<Future<?>>();
            for (MatrixCell cell : todo) {
                results.add(workers.submit(() -> CellChecker.check(cell, sourceFingerprint.of(cell), listener)
                        .ifPresent(row -> {
                            synchronized (this) {
                                rowByCell.put(cell.toString(), row);
                                listener.onCellDone(row, done.incrementAndGet(), cells.size());
                            }
                        })));
            }
            results.forEach(MatrixRunner::await);
        }
    }

    private static void await(Future<?> result) {
        try {
            result.get();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stop);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("cannot check a cell: " + failed.getCause(), failed);
        }
    }
}
