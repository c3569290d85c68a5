package habemus.lab.matrix;

import habemus.catalogue.Algorithm;
import habemus.check.Effort;
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
public final class Matrix {

    private final Fingerprint fingerprint = new Fingerprint();
    private final Map<String, Row> known = new ConcurrentHashMap<>();

    /** Somebody who looks on, and may have seen enough. */
    public interface Watch extends Effort.Watch {

        /** One more is done; never told by two threads at once. */
        void done(Row row, int done, int all);
    }

    /** Recalls what was worked out before. What is out of date is of no use. */
    public void recall(List<Row> rows) {
        rows.stream()
                .filter(this::isOfToday)
                .forEach(row -> known.put(row.cell().toString(), row));
    }

    /** Whether nothing has changed from which it was worked out. */
    public boolean isOfToday(Row row) {
        return row.key().equals(fingerprint.of(row.cell()));
    }

    /** All that are known, in the order of the cells. */
    public List<Row> known(List<Cell> cells) {
        return cells.stream()
                .map(cell -> known.get(cell.toString()))
                .filter(row -> row != null)
                .toList();
    }

    public static List<Cell> cells(List<Algorithm> algorithms) {
        return algorithms.stream().flatMap(each -> Cell.of(each).stream()).toList();
    }

    /** Works out what is not known yet, until there is no more or the watch has seen enough. */
    public void workOut(List<Cell> cells, Watch watch) {
        var todo = cells.stream()
                .filter(cell -> !known.containsKey(cell.toString()))
                .toList();
        var done = new AtomicInteger(cells.size() - todo.size());
        try (ExecutorService crew =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors())) {
            var results = new ArrayList<Future<?>>();
            for (Cell cell : todo) {
                results.add(crew.submit(() -> Look.at(cell, fingerprint.of(cell), watch)
                        .ifPresent(row -> {
                            synchronized (this) {
                                known.put(cell.toString(), row);
                                watch.done(row, done.incrementAndGet(), cells.size());
                            }
                        })));
            }
            results.forEach(Matrix::await);
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
