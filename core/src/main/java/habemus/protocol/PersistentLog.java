package habemus.protocol;

import java.util.ArrayList;
import java.util.List;

/**
 * An immutable log. All operations share structure with the log they start from.
 *
 * <p>128 entries make a chunk, 128 chunks a block. An append copies the entries after the last chunk. When it fills a
 * chunk, it also copies the chunks after the last block. When it fills a block, it also copies the list of blocks.
 *
 * <p>The entries up to {@code baseIndex} are in a snapshot and not in the log. Chunks and blocks end at fixed indexes,
 * so equal logs have equal structure.
 *
 * @param baseIndex the last index of the snapshot; zero without a snapshot
 * @param baseTerm the term of that entry
 * @param blocks full blocks; the first one begins after the base
 * @param chunks the full chunks after the blocks
 * @param tail the entries after the chunks
 * @param configurations the configuration at the base, and each one in the log, with their indexes
 */
public record PersistentLog(
        long baseIndex,
        long baseTerm,
        List<List<List<LogEntry>>> blocks,
        List<List<LogEntry>> chunks,
        List<LogEntry> tail,
        List<ConfigurationAt> configurations) {

    private static final int CHUNK_BITS = 7;
    private static final int BLOCK_BITS = 2 * CHUNK_BITS;
    private static final long CHUNK_SIZE = 1L << CHUNK_BITS;
    private static final long BLOCK_SIZE = 1L << BLOCK_BITS;

    /** @param index of the entry; for the configuration of a snapshot, the index of the snapshot */
    public record ConfigurationAt(long index, Configuration configuration) {}

    /** A log that begins after a snapshot; with index and term zero, an empty log. */
    public static PersistentLog startingAfter(EntryId base, Configuration configuration) {
        return new PersistentLog(
                base.index(),
                base.term(),
                List.of(),
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
        return chunk(index).get(positionInChunk(index));
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
        var fullBlocks = blocks;
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
            if (index % BLOCK_SIZE == 0) {
                fullBlocks = plus(fullBlocks, fullChunks);
                fullChunks = List.of();
            }
        }
        return new PersistentLog(baseIndex, baseTerm, fullBlocks, fullChunks, List.copyOf(last), known);
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
        long first = index + 1;
        return new PersistentLog(
                baseIndex,
                baseTerm,
                firstOf(blocks, blockOf(first)),
                firstOf(block(first), positionInBlock(first)),
                firstOf(chunk(first), positionInChunk(first)),
                configurations.stream().filter(known -> known.index() <= index).toList());
    }

    private static <T> List<T> firstOf(List<T> list, int count) {
        return count >= list.size() ? list : List.copyOf(list.subList(0, count));
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
        long first = index + 1;
        boolean hasBlock = blockOf(first) < blocks.size();
        boolean hasChunk = first < tailStart();
        var entries = lastOf(chunk(first), positionInChunk(first));
        var ofBlock = lastOf(block(first), positionInBlock(first));
        var rest = hasChunk ? replaceFirst(ofBlock, entries) : ofBlock;
        return new PersistentLog(
                index,
                termAt(index),
                hasBlock ? replaceFirst(lastOf(blocks, blockOf(first)), rest) : List.of(),
                hasBlock ? chunks : rest,
                hasChunk ? tail : entries,
                List.copyOf(known));
    }

    private static <T> List<T> lastOf(List<T> list, int from) {
        return from == 0 ? list : List.copyOf(list.subList(from, list.size()));
    }

    private static <T> List<T> replaceFirst(List<T> list, T first) {
        var changed = new ArrayList<>(list);
        changed.set(0, first);
        return List.copyOf(changed);
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

    /** The chunks of the block that holds this index, or those after the last block. */
    private List<List<LogEntry>> block(long index) {
        int block = blockOf(index);
        return block < blocks.size() ? blocks.get(block) : chunks;
    }

    /** The entries of the chunk that holds this index, or those after the last chunk. */
    private List<LogEntry> chunk(long index) {
        return index < tailStart() ? block(index).get(positionInBlock(index)) : tail;
    }

    /** The number of the block that holds this index, relative to the first block. */
    private int blockOf(long index) {
        return (int) ((index - 1 >> BLOCK_BITS) - (baseIndex >> BLOCK_BITS));
    }

    private int positionInBlock(long index) {
        long firstChunk = index - 1 >> BLOCK_BITS << CHUNK_BITS;
        return (int) ((index - 1 >> CHUNK_BITS) - Math.max(baseIndex >> CHUNK_BITS, firstChunk));
    }

    private int positionInChunk(long index) {
        return (int) (index - 1 - Math.max(baseIndex, index - 1 >> CHUNK_BITS << CHUNK_BITS));
    }

    private long tailStart() {
        long afterBlocks = (baseIndex >> BLOCK_BITS) + blocks.size() << CHUNK_BITS;
        long afterChunks = Math.max(baseIndex >> CHUNK_BITS, afterBlocks) + chunks.size() << CHUNK_BITS;
        return Math.max(baseIndex, afterChunks) + 1;
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
