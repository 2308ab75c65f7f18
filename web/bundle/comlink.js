export * from "comlink";
