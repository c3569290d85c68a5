package habemus.lab.language;

/** The language of the texts. */
public enum Language {
    ENGLISH("en"),
    PORTUGUESE("pt");

    private final String code;

    Language(String code) {
        this.code = code;
    }

    /** {@code en} or {@code pt}. */
    public String code() {
        return code;
    }

    /** @param locale such as {@code pt_BR.UTF-8} or {@code pt}; every other language is English */
    public static Language of(String locale) {
        return locale.startsWith(PORTUGUESE.code) ? PORTUGUESE : ENGLISH;
    }
}
