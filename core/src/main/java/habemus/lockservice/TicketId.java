package habemus.lockservice;

/** The number of a ticket: 128 bits that only its client knows. */
public record TicketId(long high, long low) implements Comparable<TicketId> {

    private static final int DIGITS = 32;

    /** {@return whether the text is 32 lower-case hexadecimal digits} */
    public static boolean isValid(String text) {
        return text.length() == DIGITS
                && text.chars().allMatch(digit -> digit >= '0' && digit <= '9' || digit >= 'a' && digit <= 'f');
    }

    /** @param text valid */
    public static TicketId parse(String text) {
        return new TicketId(
                Long.parseUnsignedLong(text, 0, DIGITS / 2, 16), Long.parseUnsignedLong(text, DIGITS / 2, DIGITS, 16));
    }

    /** {@return 32 hexadecimal digits} */
    public String hex() {
        return hex(high) + hex(low);
    }

    private static String hex(long half) {
        var digits = Long.toHexString(half);
        return "0".repeat(DIGITS / 2 - digits.length()) + digits;
    }

    @Override
    public int compareTo(TicketId other) {
        return high != other.high ? Long.compare(high, other.high) : Long.compare(low, other.low);
    }

    /** Shapes a {@code PersistentSortedMap}: the Java library does not specify the hash code of a record. */
    @Override
    public int hashCode() {
        return 31 * Long.hashCode(high) + Long.hashCode(low);
    }

    /** A ticket is a secret. */
    @Override
    public String toString() {
        return "TicketId";
    }
}
