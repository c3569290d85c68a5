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
        void onCellDone(MatrixRow matrixRow, int done, int all);
    }

    /** Adds earlier results, except outdated ones. */
    public void restore(List<MatrixRow> matrixRows) {
        matrixRows.stream()
                .filter(this::isCurrent)
                .forEach(matrixRow -> rowByCell.put(matrixRow.cell().toString(), matrixRow));
    }

    /** Whether the sources that determine the result are unchanged. */
    public boolean isCurrent(MatrixRow matrixRow) {
        return matrixRow.fingerprint().equals(sourceFingerprint.of(matrixRow.cell()));
    }

    /** The available results, in the order of the cells. */
    public List<MatrixRow> results(List<MatrixCell> matrixCells) {
        return matrixCells.stream()
                .map(matrixCell -> rowByCell.get(matrixCell.toString()))
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
    public void run(List<MatrixCell> matrixCells, Listener listener) {
        var todo = matrixCells.stream()
                .filter(matrixCell -> !rowByCell.containsKey(matrixCell.toString()))
                .toList();
        var done = new AtomicInteger(matrixCells.size() - todo.size());
        try (ExecutorService workers =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            var results = new ArrayList<Future<?>>();
            for (MatrixCell matrixCell : todo) {
                results.add(workers.submit(() -> CellChecker.check(
                                matrixCell, sourceFingerprint.of(matrixCell), listener)
                        .ifPresent(matrixRow -> {
                            synchronized (this) {
                                rowByCell.put(matrixCell.toString(), matrixRow);
                                listener.onCellDone(matrixRow, done.incrementAndGet(), matrixCells.size());
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
