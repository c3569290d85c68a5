package habemus.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * An immutable log. All operations share structure with the log they start from: an append copies at most one chunk
 * and, once a chunk, the list of chunks.
 *
 * <p>The entries up to {@code baseIndex} are in a snapshot and not in the log. Chunks end at fixed indexes, so equal
 * logs have equal structure.
 *
 * @param baseIndex the last index of the snapshot; zero without a snapshot
 * @param baseTerm the term of that entry
 * @param chunks full chunks; the first one begins after the base
 * @param tail the entries after the chunks
 * @param configurations the configuration at the base, and each one in the log, with their indexes
 */
public record PersistentLog(
        long baseIndex,
        long baseTerm,
        List<List<LogEntry>> chunks,
        List<LogEntry> tail,
        List<ConfigurationAt> configurations) {

    private static final int CHUNK_BITS = 7;
    private static final long CHUNK_SIZE = 1L << CHUNK_BITS;

    /** @param index of the entry; for the configuration of a snapshot, the index of the snapshot */
    public record ConfigurationAt(long index, Configuration configuration) {}

    /** A log that begins after a snapshot; with index and term zero, an empty log. */
    public static PersistentLog startingAfter(EntryId base, Configuration configuration) {
        return new PersistentLog(
                base.index(),
                base.term(),
                List.of(),
                List.of(),
                List.of(new ConfigurationAt(base.index(), configuration)));
    }

    public long lastIndex() {
        return tailStart() + tail.size() - 1;
    }

    public EntryId last() {
        return idAt(lastIndex());
    }

    public EntryId base() {
        return new EntryId(baseIndex, baseTerm);
    }

    /** The newest configuration in the log, whether committed or not. */
    public ConfigurationAt configuration() {
        return configurations.getLast();
    }

    /** @param index from the base to the last index */
    public long termAt(long index) {
        return index == baseIndex ? baseTerm : entry(index).term();
    }

    public EntryId idAt(long index) {
        return new EntryId(index, termAt(index));
    }

    /** Whether this entry is in the log, or is the base of the log. */
    public boolean contains(EntryId id) {
        return id.index() >= baseIndex && id.index() <= lastIndex() && termAt(id.index()) == id.term();
    }

    /** @param index after the base, up to the last index */
    public LogEntry entry(long index) {
        int chunk = chunkOf(index);
        return chunk < chunks.size()
                ? chunks.get(chunk).get((int) (index - Math.max(baseIndex + 1, chunkStart(index))))
                : tail.get((int) (index - tailStart()));
    }

    /** The entries from {@code from} to {@code to}, both inclusive. */
    public List<LogEntry> entries(long from, long to) {
        if (from >= tailStart()) {
            return List.copyOf(tail.subList((int) (from - tailStart()), (int) (to + 1 - tailStart())));
        }
        var entries = new ArrayList<LogEntry>((int) Math.max(0, to - from + 1));
        for (long index = from; index <= to; index++) {
            entries.add(entry(index));
        }
        return List.copyOf(entries);
    }

    public PersistentLog append(List<LogEntry> entries) {
        var fullChunks = chunks;
        var last = new ArrayList<LogEntry>(tail.size() + entries.size());
        last.addAll(tail);
        var known = configurations;
        long index = lastIndex();
        for (LogEntry entry : entries) {
            last.add(entry);
            index++;
            if (entry.content() instanceof LogEntry.Members(var configuration)) {
                known = plus(known, new ConfigurationAt(index, configuration));
            }
            if (index % CHUNK_SIZE == 0) {
                fullChunks = plus(fullChunks, List.copyOf(last));
                last.clear();
            }
        }
        return new PersistentLog(baseIndex, baseTerm, fullChunks, List.copyOf(last), known);
    }

    private static <T> List<T> plus(List<T> list, T last) {
        var longer = new ArrayList<T>(list.size() + 1);
        longer.addAll(list);
        longer.add(last);
        return List.copyOf(longer);
    }

    /** Without the entries after {@code index}. Earlier configurations are in force again. */
    public PersistentLog truncateAfter(long index) {
        if (index >= lastIndex()) {
            return this;
        }
        int chunk = chunkOf(index + 1);
        long start = Math.max(baseIndex + 1, chunkStart(index + 1));
        var last = chunk < chunks.size() ? chunks.get(chunk) : tail;
        return new PersistentLog(
                baseIndex,
                baseTerm,
                List.copyOf(chunks.subList(0, Math.min(chunk, chunks.size()))),
                List.copyOf(last.subList(0, (int) (index + 1 - start))),
                configurations.stream().filter(known -> known.index() <= index).toList());
    }

    /** Without the entries up to {@code index}, which a snapshot holds now. */
    public PersistentLog compactTo(long index) {
        if (index <= baseIndex) {
            return this;
        }
        var inForce = configurationAt(index);
        var known = new ArrayList<ConfigurationAt>();
        known.add(new ConfigurationAt(index, inForce));
        configurations.stream().filter(later -> later.index() > index).forEach(known::add);
        int chunk = chunkOf(index + 1);
        var kept = new ArrayList<List<LogEntry>>();
        for (int i = chunk; i < chunks.size(); i++) {
            var whole = chunks.get(i);
            kept.add(i > chunk ? whole : List.copyOf(whole.subList(dropped(whole.size(), index), whole.size())));
        }
        var last = chunk < chunks.size()
                ? tail
                : List.copyOf(tail.subList((int) Math.max(0, index + 1 - tailStart()), tail.size()));
        return new PersistentLog(index, termAt(index), List.copyOf(kept), last, List.copyOf(known));
    }

    /** How many entries of the chunk that holds the entry after {@code index} come before it. */
    private int dropped(int size, long index) {
        long end = chunkStart(index + 1) + CHUNK_SIZE;
        return (int) (index + 1 - (end - size));
    }

    /** The configuration that was in force after this entry. */
    public Configuration configurationAt(long index) {
        var inForce = configurations.getFirst();
        for (ConfigurationAt known : configurations) {
            inForce = known.index() <= index ? known : inForce;
        }
        return inForce.configuration();
    }

    /** The last entry at or before {@code index} with at most this term; the base if there is none. */
    public EntryId lastWithTermAtMost(long index, long term) {
        long at = Math.min(index, lastIndex());
        while (at > baseIndex && termAt(at) > term) {
            at--;
        }
        return idAt(Math.max(at, baseIndex));
    }

    /** The last index up to which both logs hold equal entries; at least the larger base. */
    public long commonPrefix(PersistentLog other) {
        long base = Math.max(baseIndex, other.baseIndex);
        long index = Math.min(lastIndex(), other.lastIndex());
        while (index > base && !entry(index).equals(other.entry(index))) {
            index--;
        }
        return Math.max(index, base);
    }

    /** The number of the chunk that holds this index, relative to the first chunk. */
    private int chunkOf(long index) {
        return (int) ((index - 1 >> CHUNK_BITS) - (baseIndex >> CHUNK_BITS));
    }

    private static long chunkStart(long index) {
        return (index - 1 >> CHUNK_BITS << CHUNK_BITS) + 1;
    }

    private long tailStart() {
        return chunks.isEmpty() ? baseIndex + 1 : ((baseIndex >> CHUNK_BITS) + chunks.size() << CHUNK_BITS) + 1;
    }

    @Override
    public String toString() {
        var text = new StringBuilder("[");
        if (baseIndex > 0) {
            text.append("…").append(base());
        }
        for (long index = baseIndex + 1; index <= lastIndex(); index++) {
            text.append(text.length() > 1 ? " " : "").append(entry(index));
        }
        return text.append("]").toString();
    }
}
