package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.check.model.CheckOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Works out many cells, several at once; those that were worked out before, from the same sources, are not again. */
public final class MatrixRunner {

    private final SourceFingerprint sourceFingerprint = new SourceFingerprint();
    private final Map<String, MatrixRow> known = new ConcurrentHashMap<>();

    /** Somebody who looks on, and may have seen enough. */
    public interface Listener extends CheckOptions.ProgressListener {

        /** One more is done; never told by two threads at once. */
        void onCellDone(MatrixRow matrixRow, int done, int all);
    }

    /** Recalls what was worked out before. What is out of date is of no use. */
    public void restore(List<MatrixRow> matrixRows) {
        matrixRows.stream()
                .filter(this::isCurrent)
                .forEach(matrixRow -> known.put(matrixRow.matrixCell().toString(), matrixRow));
    }

    /** Whether nothing has changed from which it was worked out. */
    public boolean isCurrent(MatrixRow matrixRow) {
        return matrixRow.fingerprint().equals(sourceFingerprint.of(matrixRow.matrixCell()));
    }

    /** All that are known, in the order of the cells. */
    public List<MatrixRow> results(List<MatrixCell> matrixCells) {
        return matrixCells.stream()
                .map(matrixCell -> known.get(matrixCell.toString()))
                .filter(matrixRow -> matrixRow != null)
                .toList();
    }

    public static List<MatrixCell> cells(List<Algorithm> algorithms) {
        return algorithms.stream()
                .flatMap(each -> MatrixCell.allOf(each).stream())
                .toList();
    }

    /** Works out what is not known yet, until there is no more or the watch has seen enough. */
    public void run(List<MatrixCell> matrixCells, Listener listener) {
        var todo = matrixCells.stream()
                .filter(matrixCell -> !known.containsKey(matrixCell.toString()))
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
                                known.put(matrixCell.toString(), matrixRow);
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
            throw new IllegalStateException("a cell could not be worked out: " + failed.getCause(), failed);
        }
    }
}
