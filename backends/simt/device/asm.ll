; Functions that replace inline assembly of PTX (the table is in rewrite.awk). Source: PTX ISA, extended
; precision arithmetic.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

define hidden { i32, i32 } @simt_asm_mad_64(i32 %a, i32 %b, i32 %c) {
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %z = zext i32 %c to i64
  %p = mul i64 %x, %y
  %s = add i64 %p, %z
  %l = trunc i64 %s to i32
  %t = lshr i64 %s, 32
  %h = trunc i64 %t to i32
  %r = insertvalue { i32, i32 } undef, i32 %l, 0
  %q = insertvalue { i32, i32 } %r, i32 %h, 1
  ret { i32, i32 } %q
}

define internal { i64, i64 } @simt_asm_halves(i128 %s) alwaysinline {
  %l = trunc i128 %s to i64
  %t = lshr i128 %s, 64
  %h = trunc i128 %t to i64
  %r = insertvalue { i64, i64 } undef, i64 %l, 0
  %q = insertvalue { i64, i64 } %r, i64 %h, 1
  ret { i64, i64 } %q
}

define internal i128 @simt_asm_whole(i64 %l, i64 %h) alwaysinline {
  %x = zext i64 %l to i128
  %y = zext i64 %h to i128
  %z = shl i128 %y, 64
  %s = or i128 %x, %z
  ret i128 %s
}

define hidden { i64, i64 } @simt_asm_mul_128(i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %s = mul i128 %x, %y
  %r = call { i64, i64 } @simt_asm_halves(i128 %s)
  ret { i64, i64 } %r
}

define hidden { i64, i64 } @simt_asm_mad_128(i64 %a, i64 %b, i64 %c) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %z = zext i64 %c to i128
  %p = mul i128 %x, %y
  %s = add i128 %p, %z
  %r = call { i64, i64 } @simt_asm_halves(i128 %s)
  ret { i64, i64 } %r
}

define hidden { i64, i64 } @simt_asm_add_128(i64 %a, i64 %b, i64 %c, i64 %d) {
  %x = call i128 @simt_asm_whole(i64 %a, i64 %b)
  %y = call i128 @simt_asm_whole(i64 %c, i64 %d)
  %s = add i128 %x, %y
  %r = call { i64, i64 } @simt_asm_halves(i128 %s)
  ret { i64, i64 } %r
}

define hidden { i64, i64 } @simt_asm_sub_128(i64 %a, i64 %b, i64 %c, i64 %d) {
  %x = call i128 @simt_asm_whole(i64 %a, i64 %b)
  %y = call i128 @simt_asm_whole(i64 %c, i64 %d)
  %s = sub i128 %x, %y
  %r = call { i64, i64 } @simt_asm_halves(i128 %s)
  ret { i64, i64 } %r
}

; equal or unordered
define hidden double @simt_asm_select_equ(double %a, double %b, double %c, double %d) {
  %e = fcmp ueq double %a, %b
  %r = select i1 %e, double %c, double %d
  ret double %r
}

; shift that moves the highest set bit to the top; 0xffffffff: no bit is set
define hidden i32 @simt_asm_bfind(i32 %a) {
  %n = call i32 @llvm.ctlz.i32(i32 %a, i1 false)
  %z = icmp eq i32 %a, 0
  %r = select i1 %z, i32 -1, i32 %n
  ret i32 %r
}
declare i32 @llvm.ctlz.i32(i32, i1 immarg)

define hidden float @simt_asm_rcp_f32(float %a) {
  %r = fdiv float 1.0, %a
  ret float %r
}

define hidden double @simt_asm_rsqrt_f64(double %a) {
  %s = call double @llvm.sqrt.f64(double %a)
  %r = fdiv double 1.0, %s
  ret double %r
}
declare double @llvm.sqrt.f64(double)
